import { useSignal } from '@preact/signals'
import { SelectField } from '../../../parts/forms/field.tsx'
import { useClosing, useSaving } from '../../../parts/forms/saving.ts'
import { Dialog } from '../../../parts/overlay/dialog.tsx'
import { Button } from '../../../parts/show/button.tsx'
import { Section } from '../../../parts/show/section.tsx'
import { exactly } from '../../../platform/dates.ts'
import { rotateSecret, type Webhook } from './data.ts'
import { Secret } from './new-webhook.tsx'
import { t } from './texts.ts'

const hours = ['0', '1', '24', '168'] as const

/** Says until when the former secret of a webhook also signs, and makes a new secret, which is shown once. */
export function Rotation({ webhook: { id, formerSecretUntil } }: { webhook: Webhook }) {
  const isAsking = useSignal(false)
  const secret = useSignal('')
  return (
    <Section name="secret" title={t.secret} hint={t.secretHint}>
      {formerSecretUntil && <p>{t.formerUntil(exactly(formerSecretUntil))}</p>}
      <div>
        <Button onClick={() => (isAsking.value = true)}>{t.rotate}</Button>
      </div>
      {isAsking.value && <Ask id={id} close={() => (isAsking.value = false)} made={(text) => (secret.value = text)} />}
      {secret.value && <Secret secret={secret.value} close={() => (secret.value = '')} />}
    </Section>
  )
}

function Ask({ id, close, made }: { id: number; close: () => void; made: (secret: string) => void }) {
  const keep = useSignal<(typeof hours)[number]>('24')
  const closing = useClosing(close)
  const saving = useSaving(async () => {
    made(await rotateSecret(id, Number(keep.value)))
    closing()
  })
  return (
    <Dialog
      title={t.rotate}
      close={close}
      end={
        <>
          <Button kind="plain" onClick={close}>
            {t.cancel}
          </Button>
          <Button kind="main" isBusy={saving.isBusy} onClick={() => saving.run()}>
            {t.rotateNow}
          </Button>
        </>
      }
    >
      <SelectField
        label={t.keepHours}
        hint={t.keepHoursHint}
        value={keep.value}
        choices={hours.map((value) => ({ value, text: t.hours[value] }))}
        choose={(chosen) => {
          keep.value = chosen
        }}
      />
      <p class="error" role="alert">
        {saving.problem}
      </p>
    </Dialog>
  )
}
