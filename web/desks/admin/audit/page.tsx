import './style.css'
import { useTitle } from '../../../frame/site.ts'
import { Empty } from '../../../parts/show/empty.tsx'
import { LogList } from '../../../parts/show/log/list.tsx'
import { Loaded, Skeleton } from '../../../parts/show/skeleton.tsx'
import { PutBack } from '../shared/put-back.tsx'
import { logOfAll, logPage } from './data.ts'
import { Export } from './export.tsx'
import { FilterBar, useLogFilters } from './filters.tsx'
import { SealState, Verify } from './seal.tsx'
import { t } from './texts.ts'

/** The changes by administrators in sentences, by day, with the values before and after. */
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
            <LogList
              key={JSON.stringify(filters)}
              name={JSON.stringify(filters)}
              newest={entries}
              total={totalCount}
              all={isFiltered ? logOfAll.data?.totalCount : undefined}
              older={(shown) => logPage(filters, shown.at(-1)!.id).data?.entries}
              ofRecord={({ targetType, targetId }) => `/admin/audit?type=${targetType}&id=${targetId}`}
              ofActor={({ actor }) => `/admin/audit?actor=${actor?.id}`}
            >
              {(entry) => <PutBack entry={entry} />}
            </LogList>
          )
        }
      </Loaded>
    </div>
  )
}
