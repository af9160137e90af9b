import { useId } from 'preact/hooks'
import { TextArea, TextField } from '../../../parts/forms/field.tsx'
import { Switch } from '../../../parts/forms/switch.tsx'
import { Button } from '../../../parts/show/button.tsx'
import { Icon } from '../../../parts/show/icon.tsx'
import { lazily } from '../../../parts/show/lazily.tsx'
import { language } from '../../../platform/language.ts'
import { conditionInWords, nameOf } from '../shared/conditions/words.ts'
import type { Editing } from './editing.ts'
import { changeField, type FormField, hasOptions, keysIn, missingIn, readersOf, relabel, type Side, text } from './model.ts'
import { t } from './texts.ts'
import { namesOf } from './words.ts'

const Options = lazily(async () => (await import('./options.tsx')).Options)
const More = lazily(async () => (await import('./more.tsx')).More)

interface FieldProps {
  of: Editing
  field: FormField
  isOpen: boolean
  isWrong: boolean
  toggle: () => void
  remove: () => void
}

/** A field of the form: a line with its label and kind, and below it, if it is open, its settings. */
export function Field({ of, field, isOpen, isWrong, toggle, remove }: FieldProps) {
  const id = useId()
  const name = nameOf(field)
  return (
    <div class="service-form-field" data-open={isOpen || undefined} data-key={field.key}>
      <button type="button" class="service-form-head" aria-expanded={isOpen} aria-controls={id} onClick={toggle}>
        <span class="service-form-name">
          <bdi>{name}</bdi>
          <span class="quiet small">
            {[t.kinds[field.kind], ...field.when.map((condition, at) => conditionInWords(of.fields, condition, at, t.onlyIf))].join(' · ')}
          </span>
        </span>
        {isWrong && <Icon name="circle-alert" size={20} />}
        {field.required && <span class="chip">{t.required}</span>}
        {missingIn(field).map((side) => (
          <span key={side} class="chip" data-kind="warn">
            {t.lacks[side]}
          </span>
        ))}
        <Icon name={isOpen ? 'chevron-up' : 'chevron-down'} size={20} />
      </button>
      <div id={id} class="service-form-body" hidden={!isOpen}>
        {isOpen && <Body of={of} field={field} remove={remove} />}
      </div>
    </div>
  )
}

const labels = {
  label: { ar: 'labelAr', en: 'labelEn' },
  text: { ar: 'textAr', en: 'textEn' },
  hint: { ar: 'hintAr', en: 'hintEn' },
} as const
const directions = { ar: 'rtl', en: 'ltr' } as const

function Body({ of, field, remove }: Omit<FieldProps, 'isOpen' | 'isWrong' | 'toggle'>) {
  const { fields, change, errorAt } = of
  const { key, kind } = field
  const sides: readonly Side[] = language.value === 'ar' ? ['ar', 'en'] : ['en', 'ar']
  const readers = readersOf(fields, key)
  const set = (part: Partial<FormField>) => change(changeField(fields, key, part))
  function say(part: Partial<FormField>) {
    const next = relabel(fields, key, part, keysIn(of.saved))
    const named = next[fields.findIndex((one) => one.key === key)]!.key
    if (named !== key) of.follow(key, named)
    change(next)
  }
  const isText = kind === 'info'
  const pair = (what: keyof typeof labels, maxLength: number) =>
    sides.map((side) => {
      const name = labels[what][side]
      const shared = {
        label: t[name],
        dir: directions[side],
        maxLength,
        value: field[name] ?? '',
        error: errorAt(key, name),
        ...((what === 'hint' || (isText && what === 'label')) && { optional: t.optional }),
      }
      const typed = (event: { currentTarget: { value: string } }) => say({ [name]: text(event.currentTarget.value) })
      if (what === 'label') return <TextField key={name} {...shared} autocomplete="off" onInput={typed} />
      return <TextArea key={name} {...shared} rows={what === 'text' ? 4 : 2} onInput={typed} />
    })
  return (
    <>
      <div class="form-pair">{isText ? pair('text', 2000) : pair('label', 200)}</div>
      {hasOptions(kind) && <Options of={of} field={field} />}
      {!isText && <Switch label={t.required} on={field.required} change={(required) => set({ required })} />}
      <details class="service-form-more" open={isDeep(of, key) || undefined}>
        <summary>{t.more}</summary>
        <div class="service-form-body">
          <More of={of} field={field}>
            <div class="form-pair">{isText ? pair('label', 200) : pair('hint', 500)}</div>
          </More>
        </div>
      </details>
      {readers.length > 0 && <p class="quiet small">{t.readBy(namesOf(readers))}</p>}
      <Button kind="plain" icon="trash-2" onClick={remove}>
        {t.removeField}
      </Button>
    </>
  )
}

/** Whether the portal refused a setting that is folded under “More”. */
function isDeep({ errorAt }: Editing, key: string) {
  return ['key', 'kind', 'when', 'hintAr', 'hintEn', 'maxLength', 'min', 'max', 'decimals', 'least', 'most', 'mostTotal', 'earliestDays']
    .concat(['latestDays', 'leadMinutes', 'maxDays', 'unitAr', 'unitEn'])
    .some((at) => errorAt(key, at))
}
