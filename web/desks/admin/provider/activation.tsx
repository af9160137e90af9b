import { useSignal } from '@preact/signals'
import { useSaving } from '../../../parts/forms/saving.ts'
import { Switch } from '../../../parts/forms/switch.tsx'
import { Dialog } from '../../../parts/overlay/dialog.tsx'
import { say } from '../../../parts/overlay/toasts.tsx'
import { Button } from '../../../parts/show/button.tsx'
import { named } from '../../../platform/language.ts'
import { changeProvider, type Provider } from '../sign-in/data.ts'
import { t } from './texts.ts'

/** Shows the provider on the sign-in page, or hides it. Hiding the provider ends the sessions that began through it. */
export function Activation({ provider }: { provider: Provider }) {
  const { id, isActive, isChecked, isDefault, sessionCount } = provider
  const isAsking = useSignal(false)
  const saving = useSaving(async (body: Parameters<typeof changeProvider>[1]) => {
    await changeProvider(id, body, undefined)
    isAsking.value = false
    if (body.isActive !== undefined) say({ text: body.isActive ? t.isOn(named(provider)) : t.isOff(named(provider)) })
  })
  const choosing = useSaving((on: boolean) => changeProvider(id, { isDefault: on }, undefined))
  const close = () => {
    isAsking.value = false
  }
  return (
    <>
      <Switch
        label={t.active}
        hint={isActive || isChecked ? t.activeHint : t.checkFirst}
        on={isActive}
        disabled={!isActive && !isChecked}
        change={(on) => {
          if (on) saving.run({ isActive: true })
          else isAsking.value = true
        }}
      />
      {isActive && <Switch label={t.default} hint={t.defaultHint} on={isDefault} change={(on) => choosing.run(on)} />}
      <p class="error" role="alert">
        {!isAsking.value && (saving.problem || choosing.problem)}
      </p>
      {isAsking.value && (
        <Dialog
          title={t.turnOff(named(provider))}
          close={close}
          end={
            <>
              <Button onClick={close}>{t.cancel}</Button>
              <Button kind="danger" isBusy={saving.isBusy} onClick={() => saving.run({ isActive: false })}>
                {t.turnOffNow}
              </Button>
            </>
          }
        >
          <p>{t.turnOffHint(sessionCount)}</p>
          <p class="error" role="alert">
            {saving.problem}
          </p>
        </Dialog>
      )}
    </>
  )
}
