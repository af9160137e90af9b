import { say } from '../parts/overlay/toasts.tsx'
import { Button } from '../parts/show/button.tsx'
import { Icon } from '../parts/show/icon.tsx'
import { askPush, pushState, rememberOffer, switchPushOn, wasOffered } from '../platform/push.ts'
import { me } from '../platform/session.ts'
import { t } from './push-texts.ts'

async function switchOn() {
  try {
    await switchPushOn()
    const { value } = pushState
    if (value === 'on') say({ text: t.accepted })
    if (value === 'denied') say({ text: t.refused })
  } catch {
    say({ text: t.failed, kind: 'error' })
  }
}

function PushOffer({ close }: { close: () => void }) {
  const answered = () => {
    rememberOffer()
    close()
  }
  const accept = () => {
    answered()
    switchOn()
  }
  return (
    <section class="card offer" role="status">
      <Icon name="bell" />
      <p>{t.offer}</p>
      <div>
        <Button kind="main" onClick={accept}>
          {t.accept}
        </Button>
        <Button kind="plain" onClick={answered}>
          {t.decline}
        </Button>
      </div>
    </section>
  )
}

/** The component of the offer; undefined if there is no reason to offer pushes. */
export async function findOffer() {
  const person = me.peek()
  if (wasOffered() || !person?.notifyOrdersEnabled || person.notificationsMuted) return undefined
  await askPush()
  return pushState.peek() === 'off' ? PushOffer : undefined
}
