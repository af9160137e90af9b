import { SelectField, TextField } from '../../../parts/forms/field.tsx'
import type { FormState } from '../../../parts/forms/form/use-form.ts'
import { IconPicker } from '../../../parts/forms/icon-picker.tsx'
import { clientAuths, type Provider, type Trial, type Values } from '../sign-in/data.ts'
import { t } from './texts.ts'

export interface PartProps {
  form: FormState<Values>
  provider: Provider
  /** The result of the last time this administrator tried the provider. */
  trial?: Trial
}

/** The names of the sign-in button, and the data by which the portal and the provider know each other. */
export function Connection({ form, provider }: PartProps) {
  const { values } = form
  return (
    <>
      <div class="ways-pair">
        <TextField label={t.fields.nameAr} hint={t.nameHint} required maxLength={100} dir="rtl" {...form.text('nameAr')} />
        <TextField label={t.fields.nameEn} required maxLength={100} dir="ltr" {...form.text('nameEn')} />
      </div>
      <TextField
        label={t.fields.issuer}
        hint={provider.identityCount > 0 ? t.issuerFixed(provider.identityCount) : t.issuerHint}
        required
        readOnly={provider.identityCount > 0}
        maxLength={500}
        dir="ltr"
        spellcheck={false}
        {...form.text('issuer')}
      />
      <TextField
        label={t.fields.clientId}
        hint={t.clientIdHint}
        required
        maxLength={500}
        dir="ltr"
        spellcheck={false}
        {...form.text('clientId')}
      />
      <SelectField
        label={t.fields.clientAuth}
        value={values.clientAuth}
        choices={clientAuths.map((value) => ({ value, text: t.clientAuths[value] }))}
        choose={(chosen) => form.set('clientAuth', chosen)}
      />
      {(values.clientAuth === 'basic' || values.clientAuth === 'post') && (
        <TextField
          label={t.fields.clientSecret}
          hint={provider.hasSecret ? t.hasSecret : t.clientSecretHint}
          maxLength={2000}
          dir="ltr"
          spellcheck={false}
          autocomplete="off"
          {...form.text('clientSecret')}
        />
      )}
      <TextField
        label={t.fields.scopes}
        hint={t.scopesHint}
        required
        maxLength={500}
        dir="ltr"
        spellcheck={false}
        {...form.text('scopes')}
      />
      <IconPicker
        label={t.fields.iconName}
        value={values.iconName}
        error={form.error('iconName')}
        change={(name) => form.set('iconName', name)}
      />
    </>
  )
}
