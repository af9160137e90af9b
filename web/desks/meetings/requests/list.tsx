import { usePages } from '../../../parts/lists/pages.tsx'
import { Empty } from '../../../parts/show/empty.tsx'
import { Failed } from '../../../parts/show/failed.tsx'
import { Loaded, Skeleton } from '../../../parts/show/skeleton.tsx'
import { ago } from '../../../platform/ago.ts'
import { resource } from '../../../platform/cache.ts'
import { formatNumber, isolated, nameOf } from '../../../platform/language.ts'
import { at } from '../../../platform/router.ts'
import { standing } from '../shared/standing.ts'
import { grouped, lists, type statuses, titleOf } from './data.ts'
import type { Request } from './proposal.ts'
import { t } from './texts.ts'

/** The outcome of a request in a few words. */
export function verdictOf({ status, reviewer, reviewedAt, updatedAt }: Request) {
  if (status === 'withdrawn' || status === 'pending') return t.by(t.verdicts[status], ago(updatedAt))
  return t.decidedBy(t.verdicts[status], reviewer ? isolated(nameOf(reviewer)) : t.someone, ago(reviewedAt ?? updatedAt))
}

function Link({ request, isHere }: { request: Request; isHere: boolean }) {
  const { requester, status, createdAt } = request
  return (
    <a class="requests-link" href={at(`/meetings/requests/${request.id}`)} aria-current={isHere ? 'page' : undefined}>
      <b>{titleOf(request)}</b>
      <span class="quiet small">
        {status === 'pending' || status === 'needs_edit'
          ? t.by(requester ? isolated(nameOf(requester)) : t.someone, ago(createdAt))
          : verdictOf(request)}
      </span>
    </a>
  )
}

const Links = ({ requests, here }: { requests: readonly Request[]; here: number | undefined }) => (
  <ul>
    {requests.map((request) => (
      <li key={request.id}>
        <Link request={request} isHere={request.id === here} />
      </li>
    ))}
  </ul>
)

/** All requests, grouped by their next step. */
export function Groups({ here }: { here?: number }) {
  const groups = grouped()
  const failed = lists.find(({ data, error }) => data === undefined && error)
  if (!groups && failed)
    return (
      <Failed
        title={t.failed}
        failure={failed.error!}
        retry={() => {
          for (const one of lists) one.refresh()
        }}
      />
    )
  if (!groups) return <Skeleton />
  const waits = groups.some(([group]) => group === 'decide' || group === 'edit')
  return (
    <>
      {groups.length === 0 ? (
        <Empty icon="inbox" title={t.noneYet}>
          {t.noneHint}
        </Empty>
      ) : (
        here === undefined && !waits && standing.data?.canApprove && <p class="requests-calm quiet">{t.none}</p>
      )}
      {groups.map(([group, requests]) => (
        <section key={group}>
          <h2>
            {t.groups[group]} {group !== 'decided' && <span class="numbers">{formatNumber(requests.length)}</span>}
          </h2>
          <Links requests={requests} here={here} />
        </section>
      ))}
    </>
  )
}

const PAGE = 30

/** The requests of one status, the newest first. */
export function WithStatus({ status }: { status: (typeof statuses)[number] }) {
  const { first, rows, more } = usePages({
    of: (offset) => resource('/executive-meetings/requests', { query: { status, limit: PAGE, offset } }),
    rows: ({ items }) => items,
    id: ({ id }) => id,
    text: t.more,
  })
  return (
    <Loaded of={first}>
      {({ totalCount }) =>
        totalCount === 0 ? (
          <Empty icon="search" title={t.notFound} />
        ) : (
          <>
            <Links requests={rows} here={undefined} />
            {more}
          </>
        )
      }
    </Loaded>
  )
}
