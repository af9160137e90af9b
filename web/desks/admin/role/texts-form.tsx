import { TextArea, TextField } from '../../../parts/forms/field.tsx'
import { ChangedMeanwhile } from '../../../parts/forms/form/changed-meanwhile.tsx'
import { Form, Save } from '../../../parts/forms/form/form.tsx'
import { type FormState, rereading, useForm } from '../../../parts/forms/form/use-form.ts'
import { lastEditor } from '../shared/directory.ts'
import { type Role, roleOf, saveTexts, type Texts, textsOf } from '../shared/role/data.ts'
import { t } from './texts.ts'

/** The names of a role in both languages, and its key. */
function RoleTexts({ form, isSystem = false }: { form: FormState<Texts>; isSystem?: boolean }) {
  return (
    <>
      <div class="form-pair">
        <TextArea label={t.nameAr} hint={t.nameHint} maxLength={2000} {...form.text('descriptionAr')} />
        <TextArea label={t.nameEn} hint={t.nameHint} maxLength={2000} {...form.text('descriptionEn')} />
      </div>
      <TextField label={t.key} hint={t.keyHint} required maxLength={64} dir="ltr" readOnly={isSystem} {...form.text('name')} />
    </>
  )
}

interface FormProps {
  role: Role
  version: string | undefined
  /** The number of people who see the name. */
  holders: number
}

/** Renames a role, which changes nobody's rights. */
export function TextsForm({ role, version, holders }: FormProps) {
  const { id, isSystem } = role
  const form = useForm<Texts>({
    from: textsOf(role),
    version,
    draft: `role:${id}`,
    canUndo: true,
    fieldOf: { name_taken: 'name' },
    save: (changed, known) => saveTexts(id, changed, known),
    reread: rereading(roleOf(id), textsOf),
    by: () => lastEditor('role', id),
    saidOf: () => t.savedTexts,
  })
  return (
    <Form of={form}>
      <RoleTexts form={form} isSystem={isSystem} />
      <ChangedMeanwhile of={form} labels={{ name: t.key, descriptionAr: t.nameAr, descriptionEn: t.nameEn }} />
      {form.isChanged && <p class="quiet">{t.renamed(holders)}</p>}
      {(form.isChanged || form.isBusy) && <Save of={form} />}
    </Form>
  )
}
