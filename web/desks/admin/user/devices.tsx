import { useSignal } from '@preact/signals'
import { useSaving } from '../../../parts/forms/saving.ts'
import { Dialog } from '../../../parts/overlay/dialog.tsx'
import { say } from '../../../parts/overlay/toasts.tsx'
import { Button } from '../../../parts/show/button.tsx'
import { Icon } from '../../../parts/show/icon.tsx'
import { Moment } from '../../../parts/show/moment.tsx'
import { Loaded } from '../../../parts/show/skeleton.tsx'
import { endSessions, type Profile, personChanged, sessionsOf } from './data.ts'
import { deviceOf } from './device.ts'
import { t } from './texts.ts'

/** The devices on which a person is signed in, and a button that signs them out. */
export function Devices({ person }: { person: Profile }) {
  const isAsking = useSignal(false)
  const sessions = sessionsOf(person.id)
  const close = () => {
    isAsking.value = false
  }
  const saving = useSaving(async () => {
    await endSessions(person.id)
    personChanged(person.id)
    close()
    say({ text: t.ended })
  })
  return (
    <Loaded of={sessions}>
      {(all) => (
        <>
          <p class="quiet">{all.length ? t.devicesHint : t.noDevices}</p>
          <ul class="user-list">
            {all.map(({ id, userAgent, ip, lastUsedAt, current }) => {
              const { browser, system, isSmall } = deviceOf(userAgent)
              return (
                <li key={id}>
                  <Icon name={isSmall ? 'smartphone' : 'monitor'} />
                  <span class="grow">
                    <bdi>{browser && system ? t.on(browser, system) : (browser ?? system ?? t.unknownDevice)}</bdi>{' '}
                    {current && <span class="chip">{t.thisOne}</span>}
                    <span class="quiet small user-detail">
                      <bdi dir="ltr">{ip}</bdi>
                      <Moment at={lastUsedAt} />
                    </span>
                  </span>
                </li>
              )
            })}
          </ul>
          {all.length > 0 && (
            <Button
              kind="danger"
              onClick={() => {
                isAsking.value = true
              }}
            >
              {t.endAll(all.length)}
            </Button>
          )}
          {isAsking.value && (
            <Dialog
              title={t.endAll(all.length)}
              close={close}
              end={
                <>
                  <Button onClick={close}>{t.cancel}</Button>
                  <Button kind="danger" isBusy={saving.isBusy} onClick={() => saving.run()}>
                    {t.endAll(all.length)}
                  </Button>
                </>
              }
            >
              <p>{t.endHint(all.length)}</p>
              <p class="error" role="alert">
                {saving.problem}
              </p>
            </Dialog>
          )}
        </>
      )}
    </Loaded>
  )
}
