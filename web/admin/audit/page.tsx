import './style.css'
import { useSignal } from '@preact/signals'
import { useTitle } from '../../frame/site.ts'
import { Button } from '../../parts/button.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Loaded, Skeleton } from '../../parts/skeleton.tsx'
import { dayOf, hijriDay, longDay, today } from '../../platform/dates.ts'
import { queryValue, setQuery } from '../../platform/router.ts'
import type { Entry } from '../shared/log/entries.ts'
import { type Filters, logOfAll, logPage } from './data.ts'
import { AuditEntry } from './entry.tsx'
import { Export } from './export.tsx'
import { FilterBar, useLogFilters } from './filters.tsx'
import { SealState, Verify } from './seal.tsx'
import { t } from './texts.ts'

/** What administrators changed: in sentences, by day, with what each changed from and to. */
export default function AuditPage() {
  useTitle(t.title)
  const { filters, set } = useLogFilters()
  const newest = logPage(filters)
  const isFiltered = Object.keys(filters).length > 0
  return (
    <div class="audit">
      <div class="audit-head">
        <h1>{t.title}</h1>
        <SealState />
        <div class="audit-acts">
          <Verify />
          <Export filters={filters} total={newest.data?.totalCount} />
        </div>
      </div>
      <FilterBar filters={filters} set={set} actions={newest.data?.actions ?? []} />
      <Loaded of={newest} shape={<Skeleton count={6} shape="line" height={3.5} />}>
        {({ entries, totalCount }) =>
          entries.length === 0 ? (
            <Empty icon="clipboard-list" title={isFiltered ? t.nothing : t.noneYet} />
          ) : (
            <Entries key={JSON.stringify(filters)} filters={filters} newest={entries} total={totalCount} isFiltered={isFiltered} />
          )
        }
      </Loaded>
    </div>
  )
}

interface EntriesProps {
  filters: Filters
  newest: Entry[]
  total: number
  isFiltered: boolean
}

/** The entries so far, those of a day under its name. Older ones are read on request, newer ones shown on request. */
function Entries({ filters, newest, total, isFiltered }: EntriesProps) {
  // What comes in meanwhile moves nothing under the hand.
  const first = useSignal(newest)
  const shown = useSignal(1)
  const fresh = newest.filter(({ id }) => id > first.value[0]!.id).length
  const entries = [...first.value]
  let isComing = false
  for (let page = 1; page < shown.value && !isComing; page++) {
    const older = logPage(filters, entries.at(-1)!.id).data?.entries
    if (older) entries.push(...older)
    else isComing = true
  }
  const all = isFiltered ? logOfAll.data?.totalCount : undefined
  const opened = Number(queryValue('open'))
  const days = Map.groupBy(entries, ({ createdAt }) => today(new Date(createdAt)))
  const isMore = entries.length + fresh < total
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
      {[...days.values()].map((of) => (
        <section key={of[0]!.createdAt.slice(0, 10)} aria-label={longDay(of[0]!.createdAt)}>
          <h2 class="audit-day">
            {dayName(of[0]!.createdAt)} <span class="quiet">{hijriDay(of[0]!.createdAt)}</span>
          </h2>
          <ul class="audit-entries">
            {of.map((entry) => (
              <AuditEntry
                key={entry.id}
                entry={entry}
                isOpen={opened === entry.id}
                toggle={() => setQuery({ open: opened === entry.id ? '' : String(entry.id) })}
              />
            ))}
          </ul>
        </section>
      ))}
      {isMore && (
        <Button isBusy={isComing} onClick={() => shown.value++}>
          {t.more}
        </Button>
      )}
    </>
  )
}

/** Today and yesterday are named beside their date. */
function dayName(at: string) {
  const [near, whole] = [dayOf(at), longDay(at)]
  return near === whole ? whole : t.nearDay(near, whole)
}
