import { TextArea, TextField } from '../../../../parts/forms/field.tsx'
import type { FormState } from '../../../../parts/forms/form/use-form.ts'
import type { Values } from './data.ts'
import { t } from './texts.ts'

/** The names of a group in both languages, and its key. */
export function Texts({ form, isSystem = false }: { form: FormState<Values>; isSystem?: boolean }) {
  return (
    <div class="form">
      <div class="form-pair">
        <TextArea label={t.nameAr} hint={t.nameHint} maxLength={2000} {...form.text('descriptionAr')} />
        <TextArea label={t.nameEn} hint={t.nameHint} maxLength={2000} {...form.text('descriptionEn')} />
      </div>
      <TextField label={t.key} hint={t.keyHint} required maxLength={200} readOnly={isSystem} {...form.text('name')} />
    </div>
  )
}
