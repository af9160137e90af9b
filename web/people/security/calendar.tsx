import { useSignal } from '@preact/signals'
import { useSaving } from '../../parts/forms/saving.ts'
import { ConfirmedButton } from '../../parts/overlay/confirmed-button.tsx'
import { Once } from '../../parts/overlay/once.tsx'
import { say } from '../../parts/overlay/toasts.tsx'
import { Button } from '../../parts/show/button.tsx'
import { CopyField } from '../../parts/show/copy-field.tsx'
import { Icon } from '../../parts/show/icon.tsx'
import { Qr } from '../../parts/show/qr.tsx'
import { Section } from '../../parts/show/section.tsx'
import { Loaded } from '../../parts/show/skeleton.tsx'
import { ago } from '../../platform/ago.ts'
import { exactly, shortDay } from '../../platform/dates.ts'
import { endAddress, feed, makeAddress } from './calendar-data.ts'
import { t } from './calendar-texts.ts'
import { t as security } from './texts.ts'

interface Address {
  url: string
  webcalUrl: string
}

/** Shows a new address, which the portal sends only once, with ways to add it to a calendar. */
const Made = ({ address: { url, webcalUrl }, close }: { address: Address; close: () => void }) => (
  <Once title={t.fresh} close={close} end={<Button onClick={close}>{t.done}</Button>}>
    <p>{t.once}</p>
    <CopyField label={t.address} value={url} hint={t.addressHint} copy={t.copy} copied={t.copied} />
    <p>
      <a class="button" href={webcalUrl}>
        {t.open}
      </a>
    </p>
    <p>{t.scan}</p>
    <Qr text={webcalUrl} label={t.qr} />
    <p class="quiet small">{t.late}</p>
  </Once>
)

/** The section about the address from which calendars read the person's meetings. */
export function Calendar() {
  const made = useSignal<Address | null>(null)
  const make = async () => {
    made.value = await makeAddress()
  }
  const { isBusy, problem, run } = useSaving(make)
  return (
    <Section name="calendar" title={security.calendar} hint={t.hint}>
      <Loaded of={feed}>
        {({ isOn, createdAt, lastReadAt }) =>
          isOn && createdAt ? (
            <>
              <div class="security-item">
                <Icon name="calendar" size={22} />
                <div>
                  <p>{t.isOn}</p>
                  <p class="quiet small security-facts">
                    <span title={exactly(createdAt)}>{t.since(shortDay(createdAt))}</span>
                    <span {...(lastReadAt && { title: exactly(lastReadAt) })}>{lastReadAt ? t.read(ago(lastReadAt)) : t.neverRead}</span>
                  </p>
                </div>
              </div>
              <div class="security-acts">
                <ConfirmedButton isPlain act={t.renew} hint={t.renewHint} keep={t.keep} run={make} />
                <ConfirmedButton
                  act={t.end}
                  hint={t.endHint}
                  keep={t.keep}
                  run={async () => {
                    await endAddress()
                    say({ text: t.ended })
                  }}
                />
              </div>
            </>
          ) : (
            <>
              <p class="quiet">{t.isOff}</p>
              <div>
                <Button icon="plus" isBusy={isBusy} onClick={() => run()}>
                  {t.make}
                </Button>
              </div>
            </>
          )
        }
      </Loaded>
      <p class="error" role="alert">
        {problem}
      </p>
      {made.value && (
        <Made
          address={made.value}
          close={() => {
            made.value = null
          }}
        />
      )}
    </Section>
  )
}
