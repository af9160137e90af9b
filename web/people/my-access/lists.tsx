import { Avatar } from '../../parts/show/avatar.tsx'
import { Empty } from '../../parts/show/empty.tsx'
import { Moment } from '../../parts/show/moment.tsx'
import { formatNumber, nameOf } from '../../platform/language.ts'
import { at } from '../../platform/router.ts'
import { type AccessRequest, groupIn, isMine, ownApproval, ownRequests, reviewOf } from './data.ts'
import { inDays } from './duration.tsx'
import { Pages } from './pages.tsx'
import { t } from './texts.ts'

const kinds: Partial<Record<AccessRequest['status'], string>> = { approved: 'on', denied: 'danger', pending: 'blue' }

/** The state of a request in a word. */
export const State = ({ status }: AccessRequest) => (
  <span class="chip" data-kind={kinds[status]}>
    {t.states[status]}
  </span>
)

/** How many approvals a request has and needs; '' if it needs one and has none. */
const approvalsOf = ({ approvals, neededApprovals }: AccessRequest) =>
  neededApprovals > 1 || approvals.length > 0 ? t.approvedSoFar(formatNumber(approvals.length), formatNumber(neededApprovals)) : ''

/** A request in a list: a link to its page. */
function Row({ request, isHere = false }: { request: AccessRequest; isHere?: boolean }) {
  const { id, requester, reason, days, status, createdAt } = request
  const isOwn = isMine(request)
  const approvals = status === 'pending' && approvalsOf(request)
  return (
    <li>
      <a class="my-access-row" href={at(`/access/requests/${id}`)} aria-current={isHere ? 'page' : undefined}>
        {!isOwn && <Avatar person={requester} />}
        <span class="my-access-row-text">
          {!isOwn && <bdi class="small">{nameOf(requester)}</bdi>}
          <b>
            <bdi>{groupIn(request)}</bdi>
          </b>
          {reason && (
            <span class="quiet small my-access-reason" dir="auto">
              {reason}
            </span>
          )}
          <span class="quiet small my-access-facts">
            <span>{inDays(days)}</span>
            <Moment at={createdAt} />
            {approvals && <span>{approvals}</span>}
          </span>
        </span>
        {isOwn && <State {...request} />}
      </a>
    </li>
  )
}

/** The person's own requests, the newest first. */
export const Own = () => (
  <Pages
    of={ownRequests}
    id={({ id }) => id}
    class="my-access-rows"
    label={t.asked}
    none={
      <Empty
        icon="inbox"
        title={t.noneAsked}
        act={
          <a class="button" data-kind="main" href={at('/access/offers')}>
            {t.offers}
          </a>
        }
      >
        {t.noneAskedHint}
      </Empty>
    }
  >
    {(request) => <Row request={request} />}
  </Pages>
)

/**
 * The requests that the person decides, the oldest first. Requests that the person has approved and that wait for other approvers come
 * last.
 */
export function Review({ here }: { here?: number }) {
  return (
    <Pages
      of={reviewOf}
      id={({ id }) => id}
      sections={[
        { title: t.yours, of: (request) => !ownApproval(request) },
        { title: t.others, of: (request) => !!ownApproval(request) },
      ]}
      class="my-access-rows"
      label={t.review}
      none={
        <Empty icon="check" title={t.noneToReview}>
          {t.noneToReviewHint}
        </Empty>
      }
    >
      {(request) => <Row request={request} isHere={request.id === here} />}
    </Pages>
  )
}
