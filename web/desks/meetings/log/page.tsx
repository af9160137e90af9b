import './style.css'
import { useTitle } from '../../../frame/site.ts'
import { Empty } from '../../../parts/show/empty.tsx'
import type { Entry } from '../../../parts/show/log/entries.ts'
import { labelOf } from '../../../parts/show/log/fields.ts'
import { LogList } from '../../../parts/show/log/list.tsx'
import { goingBack, PutBackEntry } from '../../../parts/show/log/put-back.tsx'
import { written } from '../../../parts/show/log/written.ts'
import { Loaded, Skeleton } from '../../../parts/show/skeleton.tsx'
import { invalidate } from '../../../platform/cache.ts'
import { isolated } from '../../../platform/language.ts'
import { calledOf } from '../shared/people.ts'
import { puttingBack } from '../shared/putting-back.ts'
import { standing } from '../shared/standing.ts'
import { entryOf, kinds, logOfAll, logPage, typeOf } from './data.ts'
import { FilterBar, useLogFilters } from './filters.tsx'
import { t } from './texts.ts'

/** A value in words; for an assignee, the name. */
const writtenNow = (field: string, value: unknown) =>
  field === 'assigneeId' && typeof value === 'number' ? isolated(calledOf(value)) : written(field, value)
const { preview, run } = puttingBack(labelOf, writtenNow, () => invalidate())

/** The changes of meetings, requests, tasks and printed days in sentences, with old and new values. */
export default function LogPage() {
  useTitle(t.title)
  const mayRead = standing.data?.canViewAudit
  return (
    <div class="office-log">
      <h1>{t.title}</h1>
      {mayRead === false ? <Empty icon="lock" title={t.notYours} /> : <Log />}
    </div>
  )
}

/** Whether the person can revert an entry: it must change fields, and they must have the right to change them. */
const canPutBack = ({ action }: Entry) => standing.data?.canMutate && /^meeting(_task)?\.update$/.test(action)

/** The kind of an entry of the portal's log. */
const kindOf = (entry: Entry) => kinds.find((kind) => typeOf[kind] === entry.targetType)!

function Log() {
  const { filters, set } = useLogFilters()
  const isFiltered = Object.keys(filters).length > 0
  return (
    <>
      <FilterBar filters={filters} set={set} />
      <Loaded of={logPage(filters)} shape={<Skeleton count={6} shape="line" height={3.5} />}>
        {({ entries, totalCount }) =>
          entries.length === 0 ? (
            <Empty icon="history" title={isFiltered ? t.nothing : t.noneYet}>
              {isFiltered ? undefined : t.noneYetHint}
            </Empty>
          ) : (
            <LogList
              key={JSON.stringify(filters)}
              name={JSON.stringify(filters)}
              newest={entries.map(entryOf)}
              total={totalCount}
              all={isFiltered ? logOfAll.data?.totalCount : undefined}
              older={(shown, fresh) => logPage(filters, shown.length + fresh).data?.entries.map(entryOf)}
              ofRecord={(entry) => `/meetings/log?kind=${kindOf(entry)}&id=${entry.targetId}`}
              ofActor={({ actor }) => `/meetings/log?actor=${actor?.id}`}
            >
              {(entry) =>
                canPutBack(entry) && (
                  <PutBackEntry ask={async () => ({ ...(await preview(entry)), fields: goingBack(entry) })} run={() => run(entry)} />
                )
              }
            </LogList>
          )
        }
      </Loaded>
    </>
  )
}
