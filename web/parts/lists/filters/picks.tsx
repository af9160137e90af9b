import './filters.css'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { Combobox } from '../../forms/combobox.tsx'
import { Menu } from '../../overlay/menu.tsx'
import { Popover } from '../../overlay/popover.tsx'
import { Icon } from '../../show/icon.tsx'
import { t } from './texts.ts'

/** The filters of a list in one row, which scrolls on a narrow page. */
export const Picks = ({ children, clear }: { children: ComponentChildren; clear?: (() => void) | undefined }) => (
  <div class="picks">
    {children}
    {clear && (
      <button type="button" class="pick" onClick={clear}>
        <Icon name="x" size={16} />
        {t.clear}
      </button>
    )}
  </div>
)

const Face = ({ text }: { text: ComponentChildren }) => (
  <>
    <span>{text}</span>
    <Icon name="chevron-down" size={16} />
  </>
)

interface PickProps<V extends string> {
  /** The name of the filter, such as "State". */
  label: string
  /** The text while nothing is chosen. */
  all: string
  value: V | undefined
  /** The choices. A `group` is a heading above a choice, for it and those after it. */
  choices: { value: V; text: string; group?: string }[]
  choose: (value: V | undefined) => void
}

/** A filter with a few choices. */
export function Pick<V extends string>({ label, all, value, choices, choose }: PickProps<V>) {
  const chosen = choices.find((choice) => choice.value === value)
  return (
    <Menu
      class={chosen ? 'pick pick-on' : 'pick'}
      label={`${label}: ${chosen?.text ?? all}`}
      face={<Face text={chosen?.text ?? all} />}
      items={[
        { text: all, checked: !chosen, run: () => choose(undefined) },
        ...choices.map(({ value, ...said }) => ({ ...said, checked: chosen?.value === value, run: () => choose(value) })),
      ]}
    />
  )
}

interface SearchPickProps<Option> {
  label: string
  all: string
  chosen: string | undefined
  find: (typed: string) => Option[] | Promise<Option[]>
  id: (option: Option) => string | number
  children: (option: Option) => ComponentChildren
  choose: (option: Option | undefined) => void
}

/** A filter with many choices, found by typing. */
export function SearchPick<Option>({ label, all, chosen, find, id, children, choose }: SearchPickProps<Option>) {
  return (
    <Popover
      class={chosen === undefined ? 'pick' : 'pick pick-on'}
      label={`${label}: ${chosen ?? all}`}
      face={<Face text={chosen === undefined ? all : <bdi>{chosen}</bdi>} />}
    >
      {(close) => (
        <PickSearch>
          <Combobox
            eager
            label={label}
            placeholder={label}
            find={find}
            id={id}
            choose={(option) => {
              close()
              choose(option)
            }}
          >
            {children}
          </Combobox>
          {chosen !== undefined && (
            <button
              type="button"
              class="button"
              data-kind="plain"
              onClick={() => {
                close()
                choose(undefined)
              }}
            >
              {all}
            </button>
          )}
        </PickSearch>
      )}
    </Popover>
  )
}

/** The search field of an opened filter. It takes the focus. */
export function PickSearch({ children }: { children: ComponentChildren }) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => box.current?.querySelector('input')?.focus(), [])
  return (
    <div ref={box} class="pick-search">
      {children}
    </div>
  )
}
