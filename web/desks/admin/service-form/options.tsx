import { useLayoutEffect, useRef } from 'preact/hooks'
import { Ordered } from '../../../parts/lists/ordered/ordered.tsx'
import { say } from '../../../parts/overlay/toasts.tsx'
import { Button } from '../../../parts/show/button.tsx'
import { formatNumber, isolated, language } from '../../../platform/language.ts'
import { NumberField } from '../shared/conditions/number-field.tsx'
import { optionName } from '../shared/conditions/words.ts'
import { type Editing, savedField } from './editing.ts'
import {
  addOption,
  changeOption,
  type FormField,
  keysIn,
  MOST,
  type Option,
  pasteLines,
  readersOf,
  removeOption,
  type Side,
  text,
  withOptions,
} from './model.ts'
import { t } from './texts.ts'
import { restoreOption } from './undoing.ts'
import { namesOf } from './words.ts'

interface Line extends Option {
  id: number
}

/** The options of a field as lines in both languages. Enter moves to the next line; each line of a pasted list fills one. */
export function Options({ of, field }: { of: Editing; field: FormField }) {
  const { fields, change, errorAt } = of
  const { key, kind, options = [] } = field
  const box = useRef<HTMLFieldSetElement>(null)
  const saved = keysIn(savedField(of, key)?.options ?? [])
  /** Stable ids of the options by key. They stay the same when a key follows its text. */
  const ids = useRef(new Map<string, number>())
  const idOf = (option: string) => ids.current.get(option) ?? ids.current.set(option, Math.max(0, ...ids.current.values()) + 1).get(option)!
  const sides: readonly Side[] = language.value === 'ar' ? ['ar', 'en'] : ['en', 'ar']
  const all = fields.reduce((sum, one) => sum + (one.options?.length ?? 0), 0)
  const isFull = options.length >= MOST.optionsOfField || all >= MOST.options
  const focus = (at: number, side: Side) =>
    box.current?.querySelector<HTMLElement>(`[data-at="${at}"] [data-side="${side}"] input`)?.focus()
  /** The line to focus once it is drawn: in the same task as the key, so that letters typed right after it are those of the line. */
  const awaited = useRef<[at: number, side: Side] | undefined>(undefined)
  useLayoutEffect(() => {
    if (awaited.current) focus(...awaited.current)
    awaited.current = undefined
  })
  function set(option: Option, part: Partial<Option>) {
    const next = changeOption(fields, key, option.key, part, saved)
    const at = options.findIndex((one) => one.key === option.key)
    const named = next.find((one) => one.key === key)!.options![at]!.key
    if (named !== option.key) {
      ids.current.set(named, idOf(option.key))
      ids.current.delete(option.key)
    }
    change(next)
  }
  const add = (at: number, side: Side) => {
    if (isFull) return focus(Math.min(at, options.length - 1), side)
    awaited.current = [Math.min(at, options.length), side]
    change(addOption(fields, key, at))
  }
  function remove(option: Option, at: number) {
    const readers = readersOf(fields, key, option.key)
    awaited.current = [Math.max(0, at - 1), sides[0]!]
    change(removeOption(fields, key, option.key))
    if (readers.length === 0) return
    const name = isolated(t.quoted(optionName(option, at)))
    say({ text: `${t.removed(name)} ${t.nowAlways(namesOf(readers))}`, undo: () => change(restoreOption(of.now(), fields, key, option)) })
  }
  function paste(event: ClipboardEvent, at: number, side: Side) {
    const filled = pasteLines(fields, key, { at, side, pasted: event.clipboardData?.getData('text') ?? '' }, saved)
    if (!filled) return
    event.preventDefault()
    change(filled)
  }
  const lines = options.map((option): Line => ({ ...option, id: idOf(option.key) }))
  return (
    <fieldset ref={box} class="service-form-options">
      <legend>{t.options}</legend>
      {options.length > 0 && <p class="quiet small">{t.optionsHint}</p>}
      <Ordered<Line>
        label={t.options}
        items={lines}
        nameOf={(line) => optionName(line, lines.indexOf(line))}
        save={(order) =>
          change(
            withOptions(
              fields,
              key,
              order.map(({ id: _, ...option }) => option),
            ),
          )
        }
      >
        {(line) => {
          const at = lines.findIndex(({ id }) => id === line.id)
          const number = formatNumber(at + 1)
          return (
            <div class="service-form-option" data-at={at} data-counted={kind === 'items' || undefined}>
              {sides.map((side) => (
                <div key={side} data-side={side}>
                  <input
                    class="input"
                    dir={side === 'ar' ? 'rtl' : 'ltr'}
                    maxLength={200}
                    autocomplete="off"
                    placeholder={side === 'ar' ? t.arabic : t.english}
                    aria-label={side === 'ar' ? t.optionAr(number) : t.optionEn(number)}
                    aria-invalid={errorAt(key, `options.${at}`) ? true : undefined}
                    value={line[side] ?? ''}
                    onInput={(event) => set(line, { [side]: text(event.currentTarget.value) })}
                    onPaste={(event) => paste(event, at, side)}
                    onKeyDown={(event) => {
                      if (event.key !== 'Enter' || event.isComposing || event.ctrlKey || event.metaKey) return
                      event.preventDefault()
                      if (at + 1 < options.length) focus(at + 1, side)
                      else add(at + 1, side)
                    }}
                  />
                </div>
              ))}
              {kind === 'items' && (
                <NumberField
                  label={t.most}
                  value={line.most}
                  change={(most) => set(line, { most: most ?? 99 })}
                  error={errorAt(key, `options.${at}.most`)}
                  isRequired
                />
              )}
              <Button kind="plain" icon="x" aria-label={t.remove(isolated(optionName(line, at)))} onClick={() => remove(line, at)} />
              <p class="error small" role="alert">
                {errorAt(key, `options.${at}`)}
              </p>
            </div>
          )
        }}
      </Ordered>
      <p class="error small" role="alert">
        {errorAt(key, 'options')}
      </p>
      {isFull ? (
        <p class="quiet small">{t.tooManyOptions}</p>
      ) : (
        <Button icon="plus" onClick={() => add(options.length, sides[0]!)}>
          {t.addOption}
        </Button>
      )}
    </fieldset>
  )
}
