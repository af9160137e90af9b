import { SelectField, TextArea, TextField } from '../../../parts/forms/field.tsx'
import type { FormState } from '../../../parts/forms/form/use-form.ts'
import { IconPicker } from '../../../parts/forms/icon-picker.tsx'
import { PictureField } from '../../../parts/forms/picture-field.tsx'
import { Icon } from '../../../parts/show/icon.tsx'
import { at } from '../../../platform/router.ts'
import { colors, ENOUGH, whiteOn } from './colors.ts'
import { type Fields, openModes } from './data.ts'
import { t } from './texts.ts'
import { LiveTile } from './tile.tsx'

/** The fields of an app, beside its tile. */
export function AppFields({ form, slug }: { form: FormState<Fields>; slug: string }) {
  const { values } = form
  return (
    <div class="desk-app-editor">
      <div class="desk-app-fields">
        <div class="desk-pair">
          <TextField label={t.nameAr} required maxLength={200} dir="rtl" {...form.text('nameAr')} />
          <TextField label={t.nameEn} required maxLength={200} dir="ltr" {...form.text('nameEn')} />
          <TextArea label={t.descriptionAr} maxLength={2000} rows={2} dir="rtl" {...form.text('descriptionAr')} />
          <TextArea label={t.descriptionEn} maxLength={2000} rows={2} dir="ltr" {...form.text('descriptionEn')} />
          <SelectField
            label={t.openMode}
            value={values.openMode}
            error={form.error('openMode')}
            choices={openModes.map((value) => ({ value, text: t.openModes[value] }))}
            choose={(mode) => form.set('openMode', mode)}
          />
          {values.openMode === 'internal' ? (
            <TextField label={t.route} hint={t.routeHint} required maxLength={500} dir="ltr" {...form.text('route')} />
          ) : (
            <TextField
              type="url"
              label={t.externalUrl}
              hint={
                values.openMode === 'external_iframe' && (
                  <>
                    {t.frameHint}{' '}
                    {!form.isChanged && (
                      <a class="button" data-kind="plain" href={at(`/apps/${slug}`)} target="_blank" rel="noreferrer">
                        <Icon name="external-link" />
                        {t.tryFrame}
                      </a>
                    )}
                  </>
                )
              }
              required
              maxLength={2000}
              dir="ltr"
              {...form.text('externalUrl')}
            />
          )}
        </div>
        <IconPicker label={t.icon} value={values.iconName} error={form.error('iconName')} change={(name) => form.set('iconName', name)} />
        <Color form={form} />
        <PictureField
          label={t.picture}
          hint={t.pictureHint}
          name={slug}
          value={values.imageUrl || null}
          error={form.error('imageUrl')}
          change={(path) => form.set('imageUrl', path ?? '')}
        />
      </div>
      <LiveTile app={{ ...values, imageUrl: values.imageUrl || null }} />
    </div>
  )
}

/** Offers the colours on which white is legible, and a field for any other colour. */
function Color({ form }: { form: FormState<Fields> }) {
  const { color } = form.values
  const contrast = whiteOn(color)
  return (
    <fieldset class="desk-app-colors">
      <legend>{t.color}</legend>
      <div>
        {colors.map((one, index) => (
          <label key={one} style={{ '--color': one }}>
            <input
              type="radio"
              name="app-color"
              checked={color.toLowerCase() === one}
              aria-label={t.colorNames[index]}
              onChange={() => form.set('color', one)}
            />
          </label>
        ))}
      </div>
      <TextField
        label={t.ownColor}
        hint={contrast !== undefined && contrast < ENOUGH ? t.pale : undefined}
        required
        maxLength={30}
        dir="ltr"
        spellcheck={false}
        {...form.text('color')}
      />
    </fieldset>
  )
}
