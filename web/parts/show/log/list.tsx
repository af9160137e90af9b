import type { ComponentChildren } from 'preact'
import { dayOf, today } from '../../../platform/ago.ts'
import { hijriDay, longDay } from '../../../platform/dates.ts'
import { queryValue, setQuery } from '../../../platform/router.ts'
import { useKept } from '../../lists/state.ts'
import { Button } from '../button.tsx'
import type { Entry } from './entries.ts'
import { LogEntry } from './entry.tsx'
import { t } from './texts.ts'

interface ListProps {
  /** Identifies the list, including its filters. */
  name: string
  /** The newest entries now; at least one. */
  newest: Entry[]
  total: number
  /** The number of entries in the whole log, if the list is filtered. */
  all?: number | undefined
  /** The entries that follow `shown`; undefined while they load. `fresh` is the number of newer entries that are not shown yet. */
  older: (shown: readonly Entry[], fresh: number) => readonly Entry[] | undefined
  ofRecord: (entry: Entry) => string
  ofActor: (entry: Entry) => string
  /** The content of an open entry. */
  children: (entry: Entry) => ComponentChildren
}

/** The entries read so far, grouped by day. Older ones load on request, newer ones appear on request. */
export function LogList({ name, newest, total, all, older, ofRecord, ofActor, children }: ListProps) {
  // New entries must not move rows under the pointer.
  const first = useKept(`first ${name}`, newest)
  const shown = useKept(`shown ${name}`, 1)
  const fresh = newest.filter(({ id }) => id > first.value[0]!.id).length
  const entries = [...first.value]
  let isComing = false
  for (let page = 1; page < shown.value && !isComing; page++) {
    const more = older(entries, fresh)
    const last = entries.at(-1)!.id
    if (more) entries.push(...more.filter(({ id }) => id < last))
    else isComing = true
  }
  const opened = Number(queryValue('open'))
  const days = Map.groupBy(entries, ({ createdAt }) => today(new Date(createdAt)))
  return (
    <>
      <p class="quiet small" role="status">
        {all === undefined ? t.count(total) : t.countOf(t.count(total), all)}
      </p>
      {fresh > 0 && (
        <Button
          onClick={() => {
            first.value = newest
            shown.value = 1
          }}
        >
          {t.fresh(fresh)}
        </Button>
      )}
      {[...days].map(([day, of]) => (
        <section key={day} aria-label={longDay(of[0]!.createdAt)}>
          <h2 class="log-day">
            {dayName(of[0]!.createdAt)} <span class="quiet">{hijriDay(of[0]!.createdAt)}</span>
          </h2>
          <ul class="log-entries">
            {of.map((entry) => (
              <LogEntry
                key={entry.id}
                entry={entry}
                isOpen={opened === entry.id}
                toggle={() => setQuery({ open: opened === entry.id ? '' : String(entry.id) })}
                ofRecord={ofRecord(entry)}
                ofActor={ofActor(entry)}
              >
                {children(entry)}
              </LogEntry>
            ))}
          </ul>
        </section>
      ))}
      {entries.length + fresh < total && (
        <Button isBusy={isComing} onClick={() => shown.value++}>
          {t.more}
        </Button>
      )}
    </>
  )
}

/** The date of a day, with “today” or “yesterday” where it applies. */
function dayName(at: string) {
  const [near, whole] = [dayOf(at), longDay(at)]
  return near === whole ? whole : t.nearDay(near, whole)
}
