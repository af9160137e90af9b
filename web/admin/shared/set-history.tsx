import { useSignal } from '@preact/signals'
import { Button } from '../../parts/button.tsx'
import { type Entry, History } from '../../parts/history/history.tsx'
import { Loaded } from '../../parts/skeleton.tsx'
import type { Resource } from '../../platform/cache.ts'
import type { Schemas } from '../../platform/client.ts'
import { isolated, listed, nameOf } from '../../platform/language.ts'
import { type HistoryKind, reverting } from './reverting.ts'
import { t } from './texts.ts'

export interface SetChange {
  id: number
  createdAt: string
  actor: Schemas['AuditLogActor'] | null
}

/** The names that a change added and removed, and, if they are few, those that stayed. */
interface SetNames {
  added: readonly string[]
  removed: readonly string[]
  same?: readonly string[]
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
  /** Called after an entry was reverted. */
  done: () => void
}

/** How many names a sentence lists. */
const NAMED = 3

/** The first names, and how many more there are. */
export function namesIn(names: readonly string[]) {
  const shown = names.slice(0, NAMED).map(isolated)
  return listed(names.length > NAMED ? [...shown, t.others(names.length - NAMED)] : shown)
}

function entryOf<C extends SetChange>(change: C, { sentence, namesOf }: Pick<SetHistoryProps<C>, 'sentence' | 'namesOf'>): Entry {
  const { id, createdAt, actor } = change
  const by = isolated(actor ? nameOf(actor) : t.portal)
  const { added, removed, same = [] } = namesOf(change)
  // The sentence already names everything, so chips would repeat it.
  const isSaid = same.length === 0 && added.length <= NAMED && removed.length <= NAMED
  return {
    id,
    createdAt,
    actor,
    sentence: sentence(change, by, namesIn(added), namesIn(removed)),
    ...(!isSaid && { added, removed, same }),
  }
}

/** The history of a set, twenty-five changes at a time. Each can be reverted. */
export function SetHistory<C extends SetChange>({ kind, of, done, ...texts }: SetHistoryProps<C>) {
  const offsets = useSignal<readonly number[]>([0])
  const pages = offsets.value.map((offset) => of(offset))
  const last = pages.at(-1)!
  return (
    <Loaded of={pages[0]!}>
      {() => (
        <History
          entries={pages.flatMap((page) => (page.data?.entries ?? []).map((change) => entryOf(change, texts)))}
          putBack={reverting(kind, done)}
        >
          {last.data?.nextOffset != null && (
            <Button
              isBusy={last.isFetching}
              onClick={() => {
                offsets.value = [...offsets.value, last.data!.nextOffset!]
              }}
            >
              {t.more}
            </Button>
          )}
        </History>
      )}
    </Loaded>
  )
}
