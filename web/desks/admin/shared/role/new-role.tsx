import { useRef } from 'preact/hooks'
import { TextArea, TextField } from '../../../../parts/forms/field.tsx'
import { Form, Save } from '../../../../parts/forms/form/form.tsx'
import { useForm } from '../../../../parts/forms/form/use-form.ts'
import { Dialog } from '../../../../parts/overlay/dialog.tsx'
import { Button } from '../../../../parts/show/button.tsx'
import { attempt } from '../../../../parts/show/failures.ts'
import { isolated } from '../../../../platform/language.ts'
import { go } from '../../../../platform/router.ts'
import { createRole, noTexts, savePermissions, type Texts } from './data.ts'
import { t } from './texts.ts'

interface NewProps {
  close: () => void
  /** The initial values of a copy. */
  from?: Texts & { permissionIds: number[] }
}

/** Creates a role, or a copy of one, and opens its page. */
export function NewRole({ close, from }: NewProps) {
  const made = useRef(0)
  const form = useForm<Texts>({
    from: from ? { name: from.name, descriptionAr: from.descriptionAr, descriptionEn: from.descriptionEn } : noTexts,
    fieldOf: { name_taken: 'name' },
    async save(_changed, _version, all) {
      made.current = (await createRole(all)).id
      // A failure here is only reported, because the role exists already, and its page shows which permissions it has.
      if (from?.permissionIds.length) await attempt(savePermissions(made.current, from.permissionIds, undefined))
    },
    after(isThere) {
      // Replace the address of the list, because it still opens the dialog. A copy begins on a role's page, to which Back should lead.
      if (isThere) go(`/admin/roles/${made.current}`, { replace: !from })
    },
    saidOf: ({ name = '' }) => t.created(isolated(name)),
  })
  return (
    <Dialog title={t.title} close={close}>
      <Form of={form}>
        <TextField label={t.key} hint={t.keyHint} required maxLength={64} dir="ltr" {...form.text('name')} />
        <div class="form-pair">
          <TextArea label={t.nameAr} maxLength={2000} {...form.text('descriptionAr')} />
          <TextArea label={t.nameEn} maxLength={2000} {...form.text('descriptionEn')} />
        </div>
        <div class="dialog-end">
          <Button kind="plain" onClick={close}>
            {t.cancel}
          </Button>
          <Save of={form} text={t.create} />
        </div>
      </Form>
    </Dialog>
  )
}
