import { Icon } from '../../parts/show/icon.tsx'
import { present } from '../../platform/ago.ts'
import { longDay } from '../../platform/dates.ts'
import { at } from '../../platform/router.ts'
import { hasFactor, type Overview } from './data.ts'
import { t } from './texts.ts'

/** Says in a sentence how well the account is protected, and what to do next. */
export function Standing({ now }: { now: Overview }) {
  const { duty, recoveryCodesLeft } = now
  if (hasFactor(now))
    return (
      <p class="security-standing" data-kind="good">
        <Icon name="shield" />
        <span>{recoveryCodesLeft > 0 ? t.isProtected : t.isProtectedWithoutCodes}</span>
      </p>
    )
  return (
    <div class="security-standing" data-kind={duty ? 'warn' : undefined}>
      <Icon name={duty ? 'triangle-alert' : 'shield'} />
      <p>{duty ? t.duty(longDay(duty.until), new Date(duty.until) < present()) : t.isPlain}</p>
      <a class="button" data-kind="main" href={at('/enrol')}>
        {t.enrol}
      </a>
    </div>
  )
}
