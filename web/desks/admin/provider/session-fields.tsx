import { SelectField, TextArea, TextField } from '../../../parts/forms/field.tsx'
import { secondFactors } from '../sign-in/data.ts'
import type { PartProps } from './connection.tsx'
import { t } from './texts.ts'

/** The settings of sessions that begin at the provider: second factor, duration, and sign-out. */
export function SessionFields({ form, trial }: PartProps) {
  const { values } = form
  const [amr, acr] = [trial?.claims['amr'], trial?.claims['acr']]
  return (
    <>
      <SelectField
        label={t.fields.secondFactor}
        hint={t.secondFactorHints[values.secondFactor]}
        value={values.secondFactor}
        choices={secondFactors.map((value) => ({ value, text: t.secondFactors[value] }))}
        choose={(chosen) => form.set('secondFactor', chosen)}
      />
      {values.secondFactor === 'claims' && (
        <>
          {(amr !== undefined || acr !== undefined) && (
            <p class="small">
              {t.ofYours} <bdi dir="ltr">{JSON.stringify({ amr, acr })}</bdi>
            </p>
          )}
          <TextArea label={t.fields.acrValues} hint={t.acrHint} rows={2} dir="ltr" {...form.text('acrValues')} />
        </>
      )}
      <TextField
        label={t.fields.sessionHours}
        hint={t.sessionHoursHint}
        optional={t.optional}
        type="number"
        min={1}
        max={720}
        dir="ltr"
        {...form.text('sessionHours')}
      />
      <SelectField
        label={t.fields.logout}
        hint={t.logoutHints[values.logout]}
        value={values.logout}
        choices={(['local', 'provider'] as const).map((value) => ({ value, text: t.logouts[value] }))}
        choose={(chosen) => form.set('logout', chosen)}
      />
      {values.logout === 'provider' && (
        <SelectField
          label={t.fields.logoutHint}
          hint={t.logoutHintHint}
          value={values.logoutHint}
          choices={(['client_id', 'id_token'] as const).map((value) => ({ value, text: t.logoutHintsOf[value] }))}
          choose={(chosen) => form.set('logoutHint', chosen)}
        />
      )}
    </>
  )
}
