/** The banner for people whose role requires a second factor that they do not have yet. */
import { effect } from '@preact/signals'
import { Icon } from '../parts/show/icon.tsx'
import { resource } from '../platform/cache.ts'
import { longDay } from '../platform/dates.ts'
import { at, path } from '../platform/router.ts'
import { isSignedIn } from '../platform/session.ts'
import { DutyBanner } from './duty.ts'
import { t } from './duty-texts.ts'

const security = resource('/auth/me/security')

function Banner() {
  const until = security.data?.duty?.until
  // These pages show the duty themselves.
  if (!until || ['/enrol', '/account/security'].includes(path.value)) return null
  return (
    <p class="banner">
      <span>
        <Icon name="shield" size={18} />
        {t.enrol(longDay(until))}
      </span>
      <a class="button" data-kind="plain" href={at('/enrol')}>
        {t.set}
      </a>
    </p>
  )
}

/** Shows the banner while a duty has not been met. */
export const followDuty = () =>
  effect(() => {
    const now = isSignedIn.value ? security.data : undefined
    const isOwed = now?.duty && now.passkeyCount === 0 && now.totpSince === null
    DutyBanner.value = isOwed ? Banner : undefined
  })
