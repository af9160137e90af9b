import { SelectField, TextArea, TextField } from '../../../parts/forms/field.tsx'
import type { FormState } from '../../../parts/forms/form/use-form.ts'
import { PictureField } from '../../../parts/forms/picture-field.tsx'
import { Switch } from '../../../parts/forms/switch.tsx'
import { named } from '../../../platform/language.ts'
import { Card } from './card.tsx'
import { categories, type Fields, inOrder } from './data.ts'
import { t } from './texts.ts'

/** The fields of a service, with the card that people see. */
export function ServiceFields({ form }: { form: FormState<Fields> }) {
  const { values } = form
  const known = inOrder(categories.data ?? [])
  const category = known.find(({ id }) => String(id) === values.categoryId)
  return (
    <div class="desk-service-editor">
      <div class="desk-pair">
        <TextField label={t.nameAr} required maxLength={200} dir="rtl" {...form.text('nameAr')} />
        <TextField label={t.nameEn} required maxLength={200} dir="ltr" {...form.text('nameEn')} />
        <TextArea label={t.descriptionAr} maxLength={2000} rows={3} dir="rtl" {...form.text('descriptionAr')} />
        <TextArea label={t.descriptionEn} maxLength={2000} rows={3} dir="ltr" {...form.text('descriptionEn')} />
        <SelectField
          label={t.category}
          value={values.categoryId}
          error={form.error('categoryId')}
          choices={[{ value: '', text: t.without }, ...known.map((one) => ({ value: String(one.id), text: named(one) }))]}
          choose={(id) => form.set('categoryId', id)}
        />
        <TextField label={t.price} hint={t.priceHint} maxLength={100} {...form.text('price')} />
        <PictureField
          label={t.picture}
          name="service"
          value={values.imageUrl || null}
          error={form.error('imageUrl')}
          change={(path) => form.set('imageUrl', path ?? '')}
        />
        <Switch label={t.orderable} on={values.isAvailable} change={(on) => form.set('isAvailable', on)} />
      </div>
      <figure class="desk-preview">
        <figcaption class="quiet small">{t.preview}</figcaption>
        <Card of={values} category={category} />
      </figure>
    </div>
  )
}
