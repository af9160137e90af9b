import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { TextField } from '../../../parts/forms/field.tsx'
import { Button } from '../../../parts/show/button.tsx'
import { isolated } from '../../../platform/language.ts'
import { Conditions } from '../shared/conditions/conditions.tsx'
import { A_KEY } from '../shared/keys.ts'
import { faultOf, readable } from './conditions.ts'
import { type Editing, savedField } from './editing.ts'
import { changeField, type FormField, keysIn, renameField } from './model.ts'
import { Settings } from './settings.tsx'
import { t } from './texts.ts'

interface MoreProps {
  of: Editing
  field: FormField
  /** The further texts of the field. */
  children: ComponentChildren
}

/** Settings that most fields do not need: conditions, further texts, the settings of the kind, and the key. */
export function More({ of, field, children }: MoreProps) {
  const above = readable(of.fields, field.key)
  return (
    <>
      <Conditions
        legend={t.conditions}
        onlyIf={t.onlyIf}
        none={above.length > 0 ? t.always : t.noneToRead}
        above={above}
        when={field.when}
        change={(when) => of.change(changeField(of.fields, field.key, { when }))}
        errorOf={(condition, at) => {
          const fault = faultOf(of.fields, field.key, condition)
          return fault ? t.faults[fault] : of.errorAt(field.key, `when.${at}`)
        }}
      />
      {children}
      <Settings of={of} field={field} />
      <Key of={of} field={field} />
    </>
  )
}

/** The key of a field. Key and kind are fixed once they are saved. */
function Key({ of, field }: { of: Editing; field: FormField }) {
  const { key } = field
  const typed = useSignal<string | undefined>(undefined)
  if (savedField(of, key))
    return (
      <p class="quiet small">
        {t.key}: <code dir="ltr">{key}</code>. {t.keyFixed}
      </p>
    )
  const others = keysIn(of.fields).filter((one) => one !== key)
  const problemOf = (next: string) => (A_KEY.test(next) ? (others.includes(next) ? t.keyTaken : undefined) : t.keyWrong)
  const rename = (next: string) => {
    typed.value = problemOf(next) ? next : undefined
    if (problemOf(next)) return
    of.follow(key, next)
    of.change(renameField(of.fields, key, next))
  }
  const isTaken = of.errorAt(key, 'kind') !== undefined
  const [, stem, last] = /^(.*?)(?:_(\d+))?$/.exec(key)!
  const free = `${stem!.slice(0, 28)}_${Number(last ?? 1) + 1}`
  return (
    <div class="service-form-key">
      <TextField
        label={t.key}
        hint={t.keyHint}
        dir="ltr"
        spellcheck={false}
        autocomplete="off"
        maxLength={32}
        value={typed.value ?? key}
        error={(typed.value !== undefined && problemOf(typed.value)) || (isTaken ? t.kindFixed(isolated(key)) : of.errorAt(key, 'key'))}
        onInput={(event) => rename(event.currentTarget.value)}
        onBlur={() => {
          typed.value = undefined
        }}
      />
      {isTaken && !others.includes(free) && <Button onClick={() => rename(free)}>{t.otherKey(isolated(free))}</Button>}
    </div>
  )
}
