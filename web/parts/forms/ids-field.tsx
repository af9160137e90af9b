import './ids-field.css'
import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import { formatNumber, isolated } from '../../platform/language.ts'
import { Icon } from '../show/icon.tsx'
import { Combobox } from './combobox.tsx'
import { Field } from './field.tsx'
import { t } from './ids-field-texts.ts'

interface IdsFieldProps<Item extends { id: number }> {
  label: string
  hint?: string
  error?: string | undefined
  /** Shown while nothing is chosen. */
  none?: string
  /** The label of the field that finds items. */
  addLabel: string
  ids: readonly number[]
  /** The ids as they are saved; a chip that is not among them is marked. */
  saved?: readonly number[]
  change: (ids: number[]) => void
  /** The item of an id; undefined while it is loading. */
  of: (id: number) => Item | undefined
  name: (item: Item) => string
  find: (typed: string) => Item[] | Promise<Item[]>
  /** The most items that may be chosen. */
  most?: number
  /** Renders a proposed item. */
  children: (item: Item) => ComponentChildren
}

/** A field for a few records, such as people. Chosen records are chips; a search field adds more. */
export function IdsField<Item extends { id: number }>(props: IdsFieldProps<Item>) {
  const { label, hint, error, none, addLabel, ids, saved = ids, change, of, name, find, most = 100, children } = props
  const box = useRef<HTMLDivElement>(null)
  /** The items that were chosen here, which `of` need not load. */
  const found = useRef(new Map<number, Item>())
  const nameOf = (id: number) => {
    const item = found.current.get(id) ?? of(id)
    return item ? name(item) : formatNumber(id, { useGrouping: false })
  }
  return (
    <Field label={label} {...(hint && { hint })} error={error}>
      {() => (
        <div ref={box} class="ids-field">
          {ids.length > 0 ? (
            <ul>
              {ids.map((id) => (
                <li key={id} class="chip" data-kind={saved.includes(id) ? undefined : 'on'}>
                  <bdi>{nameOf(id)}</bdi>
                  <button
                    type="button"
                    aria-label={t.without(isolated(nameOf(id)))}
                    onClick={() => {
                      change(ids.filter((one) => one !== id))
                      // The pressed button had the focus and is gone, so the search field takes the focus. It may not be drawn yet.
                      requestAnimationFrame(() => box.current?.querySelector('input')?.focus())
                    }}
                  >
                    <Icon name="x" size={16} />
                  </button>
                </li>
              ))}
            </ul>
          ) : (
            none && <p class="quiet">{none}</p>
          )}
          {ids.length < most && (
            <Combobox<Item>
              isField
              eager
              label={`${label}: ${addLabel}`}
              placeholder={addLabel}
              find={async (typed) => (await find(typed)).filter(({ id }) => !ids.includes(id))}
              id={({ id }) => id}
              choose={(item) => {
                found.current.set(item.id, item)
                change([...ids, item.id])
              }}
            >
              {children}
            </Combobox>
          )}
        </div>
      )}
    </Field>
  )
}
