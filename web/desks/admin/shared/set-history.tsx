import { usePages } from '../../../parts/lists/pages.tsx'
import { type Entry, History } from '../../../parts/show/history/history.tsx'
import { Loaded } from '../../../parts/show/skeleton.tsx'
import type { Resource } from '../../../platform/cache.ts'
import type { Schemas } from '../../../platform/client.ts'
import { isolated, listed, nameOf } from '../../../platform/language.ts'
import { withEnds } from './ends/history.ts'
import { type HistoryKind, reverting } from './reverting.ts'
import { t } from './texts.ts'

export interface SetChange {
  id: number
  createdAt: string
  actor: Schemas['AuditLogActor'] | null
  /** The ids of the removed items, in the order of `removed` in `SetNames`. */
  removedIds?: readonly number[]
}

/** The names that a change added and removed, and, if they are few, those that stayed. */
interface SetNames {
  added: readonly string[]
  removed: readonly string[]
  same?: readonly string[]
  /** The ends of the added memberships, in the order of the added names. */
  ends?: readonly (string | null)[]
}

interface HistoryPage<C> {
  entries: readonly C[]
  nextOffset: number | null
}

interface SetHistoryProps<C extends SetChange> {
  kind: HistoryKind
  of: (offset: number) => Resource<HistoryPage<C>>
  /** The sentence of a change, from its author and the added and removed names. */
  sentence: (change: C, by: string, added: string, removed: string) => string
  namesOf: (change: C) => SetNames
  /** Whether a change cannot be reverted. */
  isFixed?: (change: C) => boolean
  /** Called after an entry was reverted. */
  done: () => void
}

/** The most names that a sentence lists. */
const NAMED = 3

/** The first names with their ends, and the number of further names. */
export function namesIn(names: readonly string[], ends: readonly (string | null)[] = []) {
  const rest = names.length > NAMED ? [t.others(names.length - NAMED)] : []
  return withEnds(names.slice(0, NAMED).map(isolated), ends, (shown) => listed([...shown, ...rest]))
}

function entryOf<C extends SetChange>(
  change: C,
  { sentence, namesOf, isFixed }: Pick<SetHistoryProps<C>, 'sentence' | 'namesOf' | 'isFixed'>,
): Entry {
  const { id, createdAt, actor } = change
  const by = isolated(actor ? nameOf(actor) : t.portal)
  const { added, removed, same = [], ends = [] } = namesOf(change)
  // The sentence already names everything, so chips would repeat it.
  const isSaid = same.length === 0 && added.length <= NAMED && removed.length <= NAMED
  return {
    id,
    createdAt,
    actor,
    sentence: sentence(change, by, namesIn(added, ends), namesIn(removed)),
    isFixed: isFixed?.(change) ?? false,
    ...(!isSaid && { added, removed, same }),
  }
}

/** The history of a set, twenty-five changes at a time. Each can be reverted, except where `isFixed` is true. */
export function SetHistory<C extends SetChange>({ kind, of, done, ...texts }: SetHistoryProps<C>) {
  const { first, rows, more } = usePages({ of, rows: ({ entries }) => entries, id: ({ id }) => id })
  return (
    <Loaded of={first}>
      {() => (
        <History
          entries={rows.map((change) => entryOf(change, texts))}
          putBack={reverting(kind, done, (entryId, id) => {
            const change = rows.find((one) => one.id === entryId)
            return change && texts.namesOf(change).removed[change.removedIds?.indexOf(id) ?? -1]
          })}
        >
          {more}
        </History>
      )}
    </Loaded>
  )
}
