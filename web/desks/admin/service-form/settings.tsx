import { SelectField, TextField } from '../../../parts/forms/field.tsx'
import { Switch } from '../../../parts/forms/switch.tsx'
import { NumberField } from '../shared/conditions/number-field.tsx'
import type { Editing } from './editing.ts'
import { changeField, type FormField, text } from './model.ts'
import { t } from './texts.ts'

type NumberOf = { [K in keyof FormField]-?: FormField[K] extends number | null | undefined ? K : never }[keyof FormField]

/** The limits of answers by kind of field, with their labels. */
const numbers: Partial<Record<FormField['kind'], [NumberOf, keyof typeof t][]>> = {
  text: [['maxLength', 'maxLength']],
  paragraph: [['maxLength', 'maxLength']],
  number: [
    ['min', 'min'],
    ['max', 'max'],
    ['decimals', 'decimals'],
  ],
  choices: [
    ['least', 'leastChosen'],
    ['most', 'mostChosen'],
  ],
  items: [['mostTotal', 'mostTotal']],
  date: [
    ['earliestDays', 'earliestDays'],
    ['latestDays', 'latestDays'],
  ],
  wanted_at: [
    ['leadMinutes', 'leadMinutes'],
    ['maxDays', 'maxDays'],
  ],
  files: [['most', 'mostFiles']],
}
const defaults: Partial<Record<NumberOf, number>> = { decimals: 0, leadMinutes: 0, maxDays: 90 }
const whatIsNone = ({ kind }: FormField, name: NumberOf) => {
  if (name === 'maxLength') return kind === 'text' ? 200 : 1000
  return kind === 'files' ? 1 : (defaults[name] ?? null)
}

/** The settings of a field's kind. */
export function Settings({ of, field }: { of: Editing; field: FormField }) {
  const { key, kind } = field
  const set = (part: Partial<FormField>) => of.change(changeField(of.fields, key, part))
  const error = (name: string) => of.errorAt(key, name)
  return (
    <div class="form-pair">
      {numbers[kind]?.map(([name, label]) => (
        <NumberField
          key={name}
          label={t[label] as string}
          {...(kind === 'date' && { hint: t.daysHint })}
          value={field[name]}
          change={(value) => set({ [name]: value ?? whatIsNone(field, name) })}
          error={error(name)}
          isRequired={whatIsNone(field, name) !== null}
        />
      ))}
      {kind === 'number' && (
        <>
          <TextField
            label={t.unitAr}
            optional={t.optional}
            maxLength={40}
            dir="rtl"
            value={field.unitAr ?? ''}
            error={error('unitAr')}
            onInput={(event) => set({ unitAr: text(event.currentTarget.value) })}
          />
          <TextField
            label={t.unitEn}
            optional={t.optional}
            maxLength={40}
            dir="ltr"
            value={field.unitEn ?? ''}
            error={error('unitEn')}
            onInput={(event) => set({ unitEn: text(event.currentTarget.value) })}
          />
        </>
      )}
      {kind === 'text' && (
        <SelectField
          label={t.pattern}
          value={field.pattern ?? 'any'}
          choices={(['any', 'email', 'phone', 'url'] as const).map((value) => ({ value, text: t.patterns[value] }))}
          choose={(pattern) => set({ pattern })}
        />
      )}
      {kind === 'files' && (
        <SelectField
          label={t.types}
          value={field.types ?? 'any'}
          choices={(['any', 'images', 'pdf'] as const).map((value) => ({ value, text: t.fileTypes[value] }))}
          choose={(types) => set({ types })}
        />
      )}
      {kind === 'yes_no' && <Switch label={t.mustBeYes} on={field.mustBeYes ?? false} change={(mustBeYes) => set({ mustBeYes })} />}
      {kind === 'wanted_at' && (
        <Switch label={t.withinHours} on={field.withinHours ?? false} change={(withinHours) => set({ withinHours })} />
      )}
    </div>
  )
}
