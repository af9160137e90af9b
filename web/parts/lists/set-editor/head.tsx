import type { ComponentChildren } from 'preact'
import { formatNumber } from '../../../platform/language.ts'
import { Combobox } from '../../forms/combobox.tsx'
import { EndPick } from '../../show/ends/end-pick.tsx'
import { t } from './texts.ts'

interface HeadProps<Item> {
  label: string
  hint: string
  search: (typed: string) => Item[] | Promise<Item[]>
  eager: boolean | undefined
  id: (item: Item) => number
  choose: (item: Item) => void
  off: (item: Item) => string | undefined
  paste: (text: string) => boolean
  /** The number of changed items, and whether only these are shown. */
  changed: number
  isNarrowed: boolean
  narrow: () => void
  children: (item: Item) => ComponentChildren
}

/** The field that finds new items, and the button that shows only the changed ones. */
export const Head = <Item,>({ label, hint, search, changed, isNarrowed, narrow, ...rest }: HeadProps<Item>) => (
  <div class="set-head">
    <Combobox<Item> isField {...rest} label={label} placeholder={hint} find={search} />
    {changed > 0 && (
      <button type="button" class="button set-changed" aria-pressed={isNarrowed} onClick={narrow}>
        {t.changed(formatNumber(changed))}
      </button>
    )}
  </div>
)

/** Sets one end for all items that join. */
export const EndOfAll = ({
  count,
  ends,
  change,
}: {
  count: number
  ends: readonly (string | null)[]
  change: (end: string | null) => void
}) => (
  <div class="set-all">
    <span>{t.ofAll(count)}</span>
    <EndPick label={t.endOfAll} value={ends.every((end) => end === ends[0]) ? (ends[0] ?? null) : null} change={change} />
  </div>
)
