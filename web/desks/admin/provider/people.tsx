import { SelectField, TextArea, TextField } from '../../../parts/forms/field.tsx'
import { Switch } from '../../../parts/forms/switch.tsx'
import { Button } from '../../../parts/show/button.tsx'
import { sources } from '../provisioning/data.ts'
import { type ClaimName, claimNames, linkings, type Requirement } from '../sign-in/data.ts'
import type { PartProps } from './connection.tsx'
import { t } from './texts.ts'

export const claimText = (value: unknown) =>
  Array.isArray(value) ? value.map(String).join(', ') : typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value)

/** The administrator's own value of a claim, shown below the field that names it. */
function ownValue(claims: Record<string, unknown> | undefined, name: string) {
  if (!claims || !name) return undefined
  const value = claims[name]
  return value === undefined || value === null ? (
    t.notSent
  ) : (
    <>
      {t.ofYours} <bdi dir="auto">{claimText(value)}</bdi>
    </>
  )
}

/** The rules for who may sign in through the provider, and the claims that the portal reads. */
export function People({ form, trial }: PartProps) {
  const { values } = form
  const name = (which: ClaimName, text: string) => form.set('claims', { ...values.claims, [which]: text })
  return (
    <>
      <section class="ways-group">
        <h2>{t.claims}</h2>
        <p class="quiet small">{trial ? t.claimsTried : t.claimsHint}</p>
        <div class="ways-pair">
          {claimNames.map((which) => (
            <TextField
              key={which}
              label={t.claimNames[which]}
              hint={ownValue(trial?.claims, values.claims[which])}
              name={`claim-${which}`}
              required={which === 'username' || which === 'email'}
              error={form.unfilled(`claim-${which}`)}
              maxLength={200}
              dir="ltr"
              spellcheck={false}
              value={values.claims[which]}
              onInput={(event) => name(which, event.currentTarget.value)}
            />
          ))}
        </div>
        <SourceField value={values.sourceId} choose={(id) => form.set('sourceId', id)} />
        <Switch
          label={t.fields.refreshProfile}
          hint={t.refreshHint}
          on={values.refreshProfile}
          change={(on) => form.set('refreshProfile', on)}
        />
      </section>
      <section class="ways-group">
        <h2>{t.who}</h2>
        <Requirements form={form} claims={trial?.claims} />
        <Switch label={t.fields.createPeople} hint={t.createHint} on={values.createPeople} change={(on) => form.set('createPeople', on)} />
        <SelectField
          label={t.fields.linking}
          hint={t.linkingHints[values.linking]}
          value={values.linking}
          error={form.error('linking')}
          choices={linkings.map((value) => ({ value, text: t.linkings[value] }))}
          choose={(chosen) => form.set('linking', chosen)}
        />
        {values.linking === 'verified_email' && (
          <TextArea label={t.fields.domains} hint={t.domainsHint} rows={2} dir="ltr" {...form.text('domains')} />
        )}
      </section>
    </>
  )
}

/** The choice of the source that provisions the same people, if there are sources. */
function SourceField({ value, choose }: { value: string; choose: (id: string) => void }) {
  const known = sources.data ?? []
  if (known.length === 0) return null
  return (
    <SelectField
      label={t.fields.sourceId}
      hint={t.sourceHint}
      value={value}
      choices={[{ value: '', text: t.noSource }, ...known.map(({ id, name }) => ({ value: String(id), text: name }))]}
      choose={choose}
    />
  )
}

/** The claims that people must have to sign in. They need all of them. */
function Requirements({ form, claims }: Pick<PartProps, 'form'> & { claims: Record<string, unknown> | undefined }) {
  const of = form.values.require
  const change = (now: Requirement[]) => form.set('require', now)
  const at = (index: number, now: Partial<Requirement>) => change(of.with(index, { ...of[index]!, ...now }))
  return (
    <fieldset class="ways-rules">
      <legend>{t.fields.require}</legend>
      <p class="quiet small">{t.requireHint}</p>
      {of.map((one, index) => (
        <div key={index} class="ways-rule">
          <TextField
            label={t.requireClaim}
            hint={ownValue(claims, one.claim)}
            name={`require-${index}`}
            error={form.unfilled(`require-${index}`)}
            required
            dir="ltr"
            maxLength={200}
            value={one.claim}
            onInput={(event) => at(index, { claim: event.currentTarget.value })}
          />
          <TextField
            label={t.requireAny}
            hint={t.commas}
            name={`require-values-${index}`}
            error={form.unfilled(`require-values-${index}`)}
            required
            dir="auto"
            value={one.typed ?? one.anyOf.join(', ')}
            onInput={(event) => at(index, { typed: event.currentTarget.value })}
          />
          <Button kind="plain" icon="trash-2" aria-label={t.removeRule(one.claim)} onClick={() => change(of.toSpliced(index, 1))} />
        </div>
      ))}
      <Button icon="plus" onClick={() => change([...of, { claim: '', anyOf: [] }])}>
        {t.addRequirement}
      </Button>
      <p class="error" role="alert">
        {form.error('require')}
      </p>
    </fieldset>
  )
}
