import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { TextArea, TextField } from '../../../parts/forms/field.tsx'
import { Form, Save } from '../../../parts/forms/form/form.tsx'
import { useForm } from '../../../parts/forms/form/use-form.ts'
import { Dialog } from '../../../parts/overlay/dialog.tsx'
import { Button } from '../../../parts/show/button.tsx'
import { isolated } from '../../../platform/language.ts'
import { go } from '../../../platform/router.ts'
import { createPermission, proposedKey } from './data.ts'
import { t } from './texts.ts'

/** Creates a permission and opens its page. The key is proposed from the English name until one is typed. */
export function NewPermission({ close }: { close: () => void }) {
  const made = useRef(0)
  const isTyped = useSignal(false)
  const form = useForm({
    from: { descriptionAr: '', descriptionEn: '', name: '' },
    fieldOf: { name_taken: 'name' },
    async save(_changed, _version, all) {
      made.current = (await createPermission(all)).id
    },
    after(isThere) {
      if (isThere) go(`/admin/permissions/${made.current}`, { replace: true })
    },
    saidOf: ({ name = '' }) => t.created(isolated(name)),
  })
  const english = form.text('descriptionEn')
  const key = form.text('name')
  return (
    <Dialog title={t.newPermission} close={close}>
      <Form of={form}>
        <div class="form-pair">
          <TextArea label={t.nameAr} hint={t.nameHint} maxLength={2000} {...form.text('descriptionAr')} />
          <TextArea
            label={t.nameEn}
            hint={t.nameHint}
            maxLength={2000}
            {...english}
            onInput={(event) => {
              english.onInput(event)
              if (!isTyped.value) form.set('name', proposedKey(event.currentTarget.value))
            }}
          />
        </div>
        <TextField
          label={t.key}
          hint={t.keyHint}
          required
          maxLength={100}
          dir="ltr"
          spellcheck={false}
          {...key}
          onInput={(event) => {
            isTyped.value = true
            key.onInput(event)
          }}
        />
        <div class="dialog-end">
          <Button kind="plain" onClick={close}>
            {t.cancel}
          </Button>
          <Save of={form} text={t.make} />
        </div>
      </Form>
    </Dialog>
  )
}
