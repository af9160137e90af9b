import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { Switch } from '../../parts/forms/switch.tsx'
import { say } from '../../parts/overlay/toasts.tsx'
import { Button } from '../../parts/show/button.tsx'
import { Icon } from '../../parts/show/icon.tsx'
import { language } from '../../platform/language.ts'
import { askPush, pushState, switchPushOff, switchPushOn, tryPush } from '../../platform/push.ts'
import { at } from '../../platform/router.ts'
import { t } from './texts.ts'

async function choose(on: boolean) {
  try {
    await (on ? switchPushOn() : switchPushOff())
    const { value } = pushState
    if (value === 'on' || !on) say({ text: on ? t.pushOn : t.pushOff })
  } catch {
    say({ text: t.pushFailed, kind: 'error' })
  }
}

/** The payload of a trial push for the service worker. */
const trial = () => ({
  notificationId: 0,
  titleAr: t.pushTrial,
  titleEn: t.pushTrial,
  bodyAr: t.pushTrialHint,
  bodyEn: t.pushTrialHint,
  relatedType: 'trial',
  relatedId: Date.now(),
  vibrate: true,
  lang: language.peek(),
  url: new URL(at('/account'), location.href).href,
})

const showTrial = () =>
  tryPush(trial()).then(
    () => say({ text: t.pushTried }),
    () => say({ text: t.pushFailed, kind: 'error' }),
  )

/** A switch for pushes to this device while the portal is closed, or the reason why it cannot get them. */
export function Push({ muted }: { muted: boolean }) {
  const isBusy = useSignal(false)
  useEffect(() => {
    askPush()
    // The person may grant the permission in the browser's settings: update the switch.
    let asked: PermissionStatus | undefined
    navigator.permissions?.query({ name: 'notifications' }).then((status) => {
      asked = status
      asked.onchange = () => askPush()
    })
    return () => {
      if (asked) asked.onchange = null
    }
  }, [])
  const state = pushState.value
  if (state === 'unknown') return null
  if (state !== 'on' && state !== 'off')
    return (
      <div class="account-push">
        <Switch label={t.push} on={false} change={() => {}} disabled />
        <p class="account-push-why">
          <Icon name={state === 'denied' ? 'bell-off' : 'info'} size={18} />
          {t.pushStates[state]}
        </p>
      </div>
    )
  return (
    <div class="account-push">
      <Switch
        label={t.push}
        hint={muted ? t.pushMuted : t.pushHint}
        on={state === 'on' || isBusy.value}
        change={async (on) => {
          isBusy.value = on
          await choose(on)
          isBusy.value = false
        }}
      />
      {state === 'on' && (
        <Button icon="bell" onClick={showTrial}>
          {t.pushTry}
        </Button>
      )}
    </div>
  )
}
