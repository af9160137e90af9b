import { useRef } from 'preact/hooks'
import { TextField } from '../../../parts/forms/field.tsx'
import { Form, Save } from '../../../parts/forms/form/form.tsx'
import { useForm } from '../../../parts/forms/form/use-form.ts'
import { Dialog } from '../../../parts/overlay/dialog.tsx'
import { Button } from '../../../parts/show/button.tsx'
import { isolated } from '../../../platform/language.ts'
import { go } from '../../../platform/router.ts'
import { createSource } from './data.ts'
import { t } from './texts.ts'

/** Adds a source, which is off at first, and opens its page. */
export function NewSource({ close }: { close: () => void }) {
  const made = useRef(0)
  const form = useForm<{ name: string }>({
    from: { name: '' },
    draft: 'source:new',
    fieldOf: { name_taken: 'name', username_taken: 'name' },
    async save(_changed, _version, { name }) {
      made.current = (await createSource(name.trim())).id
    },
    after(isThere) {
      if (isThere) go(`/admin/provisioning/${made.current}`, { replace: true })
    },
    saidOf: ({ name = '' }) => t.created(isolated(name)),
  })
  return (
    <Dialog title={t.newSource} close={close} isUnsaved={() => false}>
      <Form of={form}>
        <TextField
          label={t.name}
          hint={t.nameHint}
          required
          autoFocus
          maxLength={40}
          dir="ltr"
          autocomplete="off"
          spellcheck={false}
          {...form.text('name')}
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
