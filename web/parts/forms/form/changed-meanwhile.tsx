import { useSignal } from '@preact/signals'
import { useEffect, useId, useRef } from 'preact/hooks'
import { isolated } from '../../../platform/language.ts'
import { Button } from '../../show/button.tsx'
import { TextArea } from '../field.tsx'
import { ownWords } from './merging.ts'
import { t } from './texts.ts'
import type { FormState, Overlap } from './use-form.ts'

interface ChangedProps<V extends object> {
  of: FormState<V>
  labels: Partial<Record<keyof V & string, string>>
  /** Formats a value of a field. By default, booleans become "yes" and "no". */
  written?: (field: keyof V & string, value: unknown) => string
}

/** A text as it is, and a boolean as “yes” or “no”. */
export const plain = (value: unknown) => (value === true ? t.yes : value === false ? t.no : String(value ?? ''))

/** Shows both values of each field that two people changed differently, and makes the person choose. Nothing is preselected. */
export function ChangedMeanwhile<V extends object>({ of, labels, written = (_, value) => plain(value) }: ChangedProps<V>) {
  const id = useId()
  if (of.overlaps.length === 0) return null
  const name = of.changedBy && isolated(of.changedBy)
  return (
    <section class="changed" aria-labelledby={id}>
      <div role="alert">
        <h2 id={id}>{t.changedBy(name)}</h2>
        <p class="quiet">{t.mergedHint}</p>
      </div>
      {of.overlaps.map((overlap) => (
        <Line key={overlap.field} of={of} overlap={overlap} label={labels[overlap.field] ?? overlap.field} written={written} name={name} />
      ))}
    </section>
  )
}

interface LineProps<V extends object> {
  of: FormState<V>
  overlap: Overlap<V>
  label: string
  written: (field: keyof V & string, value: unknown) => string
  name: string
}

function Line<V extends object>({ of, overlap, label, written, name }: LineProps<V>) {
  const isWriting = useSignal(false)
  const line = useRef<HTMLFieldSetElement>(null)
  // Choosing to write a new text replaces the button that had the focus, so the text field gets the focus.
  useEffect(() => {
    if (isWriting.value) line.current?.querySelector('textarea')?.focus()
  }, [isWriting.value])
  const { field, mine, theirs, chosen } = overlap
  const [own, other] = [written(field, mine), written(field, theirs)]
  // A choice is a text, too, but it is shown in other words.
  const isText = mine === own
  const side = (which: 'mine' | 'theirs', text: string, beside: string) => {
    const [start, middle, end] = ownWords(text, beside)
    return (
      <div class="changed-side" data-chosen={chosen === which || undefined}>
        <p class="person">
          <strong>{which === 'mine' ? t.you : name || t.saver}</strong>
          <span class="quiet small">{which === 'mine' ? t.unsaved : t.isSaved}</span>
        </p>
        <p dir="auto">
          {start}
          <mark>{middle}</mark>
          {end}
          {text === '' && <span class="quiet">{t.empty}</span>}
        </p>
        <Button
          aria-pressed={chosen === which}
          onClick={() => {
            isWriting.value = false
            of.choose(overlap, which)
          }}
        >
          {which === 'mine' ? (isText ? t.takeMine : t.keepMine) : isText ? t.takeTheirs(name) : t.keepTheirs(name)}
        </Button>
      </div>
    )
  }
  return (
    <fieldset ref={line} class="changed-line">
      <legend>{label}</legend>
      {side('mine', own, other)}
      {side('theirs', other, own)}
      {isText && !isWriting.value && (
        <Button
          kind="plain"
          onClick={() => {
            isWriting.value = true
            of.choose(overlap, 'own')
          }}
        >
          {t.writeOther}
        </Button>
      )}
      {isWriting.value && (
        <TextArea
          label={t.other(label)}
          value={of.values[field] as string}
          onInput={(event) => of.set(field, event.currentTarget.value as V[typeof field])}
        />
      )}
    </fieldset>
  )
}
