import { type Signal, useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { ChangedMeanwhile } from '../../../parts/forms/form/changed-meanwhile.tsx'
import { Form, Save } from '../../../parts/forms/form/form.tsx'
import type { FormState } from '../../../parts/forms/form/use-form.ts'
import { Ordered } from '../../../parts/lists/ordered/ordered.tsx'
import { say } from '../../../parts/overlay/toasts.tsx'
import { Button } from '../../../parts/show/button.tsx'
import { Empty } from '../../../parts/show/empty.tsx'
import { inLanguage, isolated } from '../../../platform/language.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { nameOf } from '../shared/conditions/words.ts'
import { Adding } from './adding.tsx'
import { faulty, misplaced, withoutMisplaced } from './conditions.ts'
import type { Edited } from './data.ts'
import type { Editing } from './editing.ts'
import { Field } from './field.tsx'
import { addField, type FormField, keysIn, MOST, missingIn, readersOf, removeField } from './model.ts'
import { faultsIn } from './refusals.ts'
import { t } from './texts.ts'
import { inFormerOrder, restoreField } from './undoing.ts'
import { fieldInWords, namesOf } from './words.ts'

interface Row {
  id: number
  field: FormField
}

/** Numeric ids of the fields for `Ordered`. An id stays the same when a key changes. */
function useIds() {
  const ids = useRef(new Map<string, number>())
  return {
    of: (key: string) => ids.current.get(key) ?? ids.current.set(key, Math.max(0, ...ids.current.values()) + 1).get(key)!,
    rename(key: string, next: string) {
      const id = this.of(key)
      ids.current.delete(key)
      ids.current.set(next, id)
    },
  }
}

const written = (_: string, value: unknown) => {
  const fields = value as FormField[]
  return fields.map((field) => fieldInWords(fields, field)).join('\n')
}

interface EditorProps {
  form: FormState<Edited>
  /** The fields as they were last sent, because refusals name fields by their index. */
  sent: FormField[]
  /** The key of the open field. The page holds it, because it mounts the editor anew when its window becomes narrow. */
  open: Signal<string | undefined>
}

/** The fields of the form, one open at a time. */
export function Editor({ form, sent, open }: EditorProps) {
  const { fields } = form.values
  const isAdding = useSignal(false)
  const box = useRef<HTMLDivElement>(null)
  const ids = useIds()
  const faults = form.failure instanceof Refusal ? faultsIn(form.failure.body.details ?? [], sent) : []
  const whole = form.failure instanceof Refusal && form.failure.body.details?.find(({ path }) => path === 'fields')
  const below = misplaced(fields)
  const change = (next: FormField[]) => form.set('fields', next)
  const errorAt = (key: string, at: string) => {
    const found = faults.find((fault) => fault.key === key && (fault.at === at || fault.at.startsWith(`${at}.`)))
    return found && inLanguage(found.messageAr, found.messageEn)
  }
  const of: Editing = {
    ...{ fields, now: () => form.now().fields, saved: form.from.fields, change, errorAt },
    follow(key, next) {
      ids.rename(key, next)
      if (open.value === key) open.value = next
      for (const fault of faults) if (fault.key === key) fault.key = next
    },
  }
  const wrong = new Set(
    [...faults.map(({ key }) => key), ...keysIn(faulty(fields))].filter((key) => fields.some((field) => field.key === key)),
  )
  const lacking = fields.filter((field) => missingIn(field).length > 0).length
  useEffect(() => {
    const first = fields.find(({ key }) => faults.some((fault) => fault.key === key))
    if (first) open.value = first.key
  }, [form.failure])
  const focus = (wanted: string) => requestAnimationFrame(() => box.current?.querySelector<HTMLElement>(wanted)?.focus())
  function remove(field: FormField) {
    const at = fields.indexOf(field)
    const readers = readersOf(fields, field.key)
    change(removeField(fields, field.key))
    open.value = undefined
    const beside = fields[at + 1] ?? fields[at - 1]
    focus(beside ? `[data-key="${beside.key}"] .service-form-head` : '.service-form-new')
    const name = isolated(t.quoted(nameOf(field)))
    say({
      text: [t.removed(name), ...(readers.length > 0 ? [t.nowAlways(namesOf(readers))] : [])].join(' '),
      undo: () => change(restoreField(of.now(), fields, field.key)),
    })
  }
  function move(order: Row[]) {
    const next = order.map(({ field }) => field)
    change(next)
    const before = keysIn(below)
    const now = misplaced(next).filter(({ key }) => !before.includes(key))
    if (now.length > 0) say({ text: t.movedBelow(namesOf(now)), undo: () => change(inFormerOrder(of.now(), fields)) })
  }
  const rows = fields.map((field): Row => ({ id: ids.of(field.key), field }))
  const isFull = fields.length >= MOST.fields
  const adding = () => {
    isAdding.value = true
  }
  const addButton = (
    <button type="button" class="button service-form-new" onClick={adding}>
      {t.add}
    </button>
  )
  return (
    <div ref={box}>
      <Form of={form} class="form service-form-editor">
        <ChangedMeanwhile of={form} labels={{ fields: t.fields }} written={written} />
        {fields.length === 0 ? (
          <Empty icon="clipboard-list" title={t.empty} act={addButton} />
        ) : (
          <>
            <Ordered<Row>
              class="service-form-fields"
              label={t.fields}
              items={rows}
              nameOf={({ field }) => isolated(nameOf(field))}
              save={move}
            >
              {({ field }) => (
                <Field
                  of={of}
                  field={field}
                  isOpen={open.value === field.key}
                  isWrong={wrong.has(field.key)}
                  toggle={() => {
                    open.value = open.value === field.key ? undefined : field.key
                  }}
                  remove={() => remove(field)}
                />
              )}
            </Ordered>
            {isFull ? <p class="quiet">{t.full}</p> : addButton}
          </>
        )}
        {below.length > 0 && (
          <div class="service-form-warning" role="status">
            <p>{t.movedBelow(namesOf(below))}</p>
            <Button onClick={() => change(withoutMisplaced(fields))}>{t.dropConditions}</Button>
          </div>
        )}
        {whole && (
          <p class="error" role="alert">
            {whole.rule === 'when' ? t.readByStep : inLanguage(whole.messageAr, whole.messageEn)}
          </p>
        )}
        {form.isChanged && (
          <div class="service-form-save">
            <p role="status">
              {faults.length > 0 ? t.wrongCount(new Set(faults.map(({ key }) => key)).size) : lacking > 0 && t.lackCount(lacking)}
            </p>
            <Save of={form} />
            <Button kind="plain" onClick={form.discard}>
              {t.discard}
            </Button>
          </div>
        )}
      </Form>
      {isAdding.value && (
        <Adding
          fields={fields}
          close={() => {
            isAdding.value = false
          }}
          add={(kind, words) => {
            const next = addField(fields, kind, words)
            const { key } = next.at(-1)!
            change(next)
            isAdding.value = false
            open.value = key
            setTimeout(() => focus(`[data-key="${key}"] .service-form-body :is(.service-form-options > .button, input, textarea)`))
          }}
        />
      )}
    </div>
  )
}
