import { useSignal } from '@preact/signals'
import { TextField } from '../../../parts/forms/field.tsx'
import { useSaving } from '../../../parts/forms/saving.ts'
import { Dialog } from '../../../parts/overlay/dialog.tsx'
import { Once } from '../../../parts/overlay/once.tsx'
import { Button } from '../../../parts/show/button.tsx'
import { CopyField } from '../../../parts/show/copy-field.tsx'
import { go } from '../../../platform/router.ts'
import { type Choice, createWebhook } from './data.ts'
import { t } from './texts.ts'
import { TypesField } from './types-field.tsx'

/**
 * While `isOpen`, adds a webhook. Shows its secret once, even if the form was closed before the secret arrived, and then opens the
 * webhook's page.
 */
export function NewWebhook({ isOpen, close }: { isOpen: boolean; close: () => void }) {
  const made = useSignal<{ id: number; secret: string } | undefined>(undefined)
  if (!made.value) return isOpen ? <Fields close={close} made={(webhook) => (made.value = webhook)} /> : null
  const { id, secret } = made.value
  return <Secret secret={secret} close={() => go(`/admin/webhooks/${id}`, { replace: isOpen })} />
}

/** A dialog with a secret that is shown only once. */
export const Secret = ({ secret, close }: { secret: string; close: () => void }) => (
  <Once title={t.secretMade} close={close} end={<Button onClick={close}>{t.done}</Button>}>
    <CopyField label={t.secret} value={secret} hint={t.secretOnce} copy={t.copy} copied={t.copied} />
  </Once>
)

function Fields({ close, made }: { close: () => void; made: (webhook: { id: number; secret: string }) => void }) {
  const name = useSignal('')
  const url = useSignal('')
  const types = useSignal<Choice[]>([])
  const isMissing = useSignal(false)
  const { isBusy, error, problem, run, isFilled } = useSaving(
    async () => made(await createWebhook({ name: name.value, url: url.value, types: types.value })),
    { fields: ['name', 'url', 'types'] },
  )
  return (
    <Dialog title={t.newWebhook} close={close} isUnsaved={() => name.value !== '' || url.value !== ''}>
      <form
        class="form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          const isNamed = isFilled(event.currentTarget)
          isMissing.value = types.value.length === 0
          if (isNamed && !isMissing.value) run()
        }}
      >
        <TextField
          label={t.name}
          hint={t.nameHint}
          name="name"
          required
          maxLength={60}
          autoFocus
          value={name.value}
          error={error('name')}
          onInput={(event) => {
            name.value = event.currentTarget.value
          }}
        />
        <TextField
          label={t.url}
          hint={error('url') ? undefined : t.urlHint}
          name="url"
          type="url"
          dir="ltr"
          required
          maxLength={2000}
          autocomplete="off"
          spellcheck={false}
          value={url.value}
          error={error('url')}
          onInput={(event) => {
            url.value = event.currentTarget.value
          }}
        />
        <TypesField
          value={types.value}
          error={isMissing.value ? t.chooseOne : error('types')}
          change={(chosen) => {
            types.value = chosen
            isMissing.value = false
          }}
        />
        <p class="error" role="alert">
          {problem}
        </p>
        <div class="dialog-end">
          <Button kind="plain" onClick={close}>
            {t.cancel}
          </Button>
          <Button kind="main" type="submit" isBusy={isBusy}>
            {t.make}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
