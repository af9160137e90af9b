import { useSignal } from '@preact/signals'
import { TextField } from '../../../parts/forms/field.tsx'
import { Switch } from '../../../parts/forms/switch.tsx'
import { say } from '../../../parts/overlay/toasts.tsx'
import { attempt } from '../../../parts/show/failures.ts'
import { Section } from '../../../parts/show/section.tsx'
import { at } from '../../../platform/router.ts'
import { changeSettings, type Settings, settings } from './data.ts'
import { t } from './texts.ts'

type Switched = 'confirmAdministration' | 'trustDevices' | 'personalTokens'

/** Saves a setting at once, with undo. Undo leaves a value that somebody else has chosen since. */
async function choose<F extends keyof Settings>(field: F, value: Settings[F], former: Settings[F]) {
  if (value === former) return
  const about = `sign-in ${field}`
  if (settings.peek()?.[field] !== former) return void say({ text: t.notUndone, kind: 'error', about })
  const { version } = settings
  const takeBack = settings.change((now) => ({ ...now, [field]: value }))
  if (!(await attempt(changeSettings({ [field]: value }, version)))) return takeBack()
  say({ text: t.saved, about, undo: () => void choose(field, former, value) })
}

/** The longest life of a personal token. A typed number survives changes of other settings; an empty field changes nothing. */
function TokenDays({ now }: { now: number }) {
  const typed = useSignal<string | undefined>(undefined)
  return (
    <TextField
      label={t.tokenMaxDays}
      hint={t.tokenMaxDaysHint}
      type="number"
      min={1}
      max={1095}
      dir="ltr"
      value={typed.value ?? String(now)}
      onInput={(event) => {
        typed.value = event.currentTarget.value
      }}
      onBlur={() => {
        const days = Number(typed.peek())
        typed.value = undefined
        if (days) choose('tokenMaxDays', days, now)
      }}
    />
  )
}

/** The remaining settings. Each change is saved at once. */
export function Rest({ now }: { now: Settings }) {
  const toggle = (field: Switched) => (
    <Switch label={t.rest[field]} hint={t.restHints[field]} on={now[field]} change={(on) => choose(field, on, !on)} />
  )
  return (
    <Section name="rest" title={t.others}>
      {toggle('confirmAdministration')}
      {toggle('trustDevices')}
      <Switch
        label={t.rest.passkeys}
        hint={t.restHints.passkeys}
        on={now.passkeys === 'exceptions'}
        change={(on) => choose('passkeys', on ? 'exceptions' : 'everyone', on ? 'everyone' : 'exceptions')}
      />
      {toggle('personalTokens')}
      <div class="ways-days">
        <TokenDays now={now.tokenMaxDays} />
      </div>
      <p class="quiet small">
        {t.registrationElsewhere}{' '}
        <a class="link" href={at('/admin/settings')}>
          {t.toSettings}
        </a>
      </p>
    </Section>
  )
}
