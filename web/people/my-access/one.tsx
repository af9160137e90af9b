import { useMemo, useRef } from 'preact/hooks'
import { useStepKeys } from '../../frame/decision-keys.ts'
import { useTitle } from '../../frame/site.ts'
import { useWayBack } from '../../frame/way-back.ts'
import { TextArea } from '../../parts/forms/field.tsx'
import { ConfirmedButton } from '../../parts/overlay/confirmed-button.tsx'
import { say } from '../../parts/overlay/toasts.tsx'
import { Avatar } from '../../parts/show/avatar.tsx'
import { Empty } from '../../parts/show/empty.tsx'
import { Icon } from '../../parts/show/icon.tsx'
import { Loaded, Skeleton } from '../../parts/show/skeleton.tsx'
import { isWide } from '../../parts/show/wide.ts'
import { ago } from '../../platform/ago.ts'
import { exactly } from '../../platform/dates.ts'
import { draft } from '../../platform/drafts.ts'
import { isolated, nameOf } from '../../platform/language.ts'
import { Refusal } from '../../platform/refusal.ts'
import { at } from '../../platform/router.ts'
import { isAdmin, me } from '../../platform/session.ts'
import { useReadAbout } from '../notifications/data.ts'
import { type AccessRequest, draftNameOf, groupIn, isMine, offerOf, requestOf, reviewOf, type Typed, withdraw } from './data.ts'
import { Decide } from './decide.tsx'
import { t } from './decide-texts.ts'
import { inDays } from './duration.tsx'
import { Gains, Since } from './gains.tsx'
import { Review, State } from './lists.tsx'
import { Story } from './story.tsx'
import { t as words } from './texts.ts'

/** A quotation below its heading. */
const Quote = ({ label, text }: { label: string; text: string }) => (
  <figure class="my-access-quote">
    <figcaption class="quiet small">{label}</figcaption>
    <blockquote dir="auto">{text}</blockquote>
  </figure>
)

/** The button that withdraws one's own request, after a confirmation. */
function Withdraw({ request }: { request: AccessRequest }) {
  const { id } = request
  const run = async () => {
    await withdraw(id)
    say({ about: `access request ${id}`, text: t.saidWithdrawn(isolated(groupIn(request))) })
  }
  return <ConfirmedButton act={t.withdraw} hint={t.withdrawHint} keep={t.keep} run={run} />
}

const draftOf = (id: number) => draft<Typed>(draftNameOf(id), { note: '' })

/** Says what somebody else did with the request while the page was open, and shows the typed note so that it can be copied. */
function Meanwhile({ request: { status, decidedBy }, note }: { request: AccessRequest; note: string }) {
  const said = t.meanwhile[status]
  return (
    <div class="card my-access-meanwhile" role="status">
      <p>{typeof said === 'string' ? said : said(decidedBy ? isolated(nameOf(decidedBy)) : '')}</p>
      {note.trim() && <TextArea label={t.typed} readOnly value={note} />}
    </div>
  )
}

/** The next steps of a requester: withdraw the request, see their access, or ask again. */
function Onward({ request }: { request: AccessRequest }) {
  const { groupId, status } = request
  const offer = status === 'pending' ? undefined : offerOf(groupId)
  if (status === 'pending')
    return (
      <>
        <p>{t.waits}</p>
        <div class="my-access-acts">
          <Withdraw request={request} />
        </div>
      </>
    )
  return (
    <div class="my-access-acts">
      {status === 'approved' && (
        <a class="button" href={at('/access')}>
          {t.toGrants}
        </a>
      )}
      {offer?.state === 'open' && (
        <a class="button" href={at(`/access/offers?ask=${groupId}`)}>
          {t.again}
        </a>
      )}
    </div>
  )
}

function titleIn(request: AccessRequest) {
  const group = isolated(groupIn(request))
  return isMine(request) ? t.ownTitle(group) : t.othersTitle(isolated(nameOf(request.requester)), group)
}

/** A request: who asks for what, why and for how long, what it gives, and what the person may do about it. */
function Whole({ request }: { request: AccessRequest }) {
  const { id, requester, reason, days, status, createdAt, mayDecide, gains, memberCount } = request
  useReadAbout('access_request', id)
  const kept = useMemo(() => draftOf(id), [id])
  const first = useRef(request)
  // Compare with the first reply that says what the request gives. Only people who may decide get such a reply.
  if (!first.current.mayDecide && mayDecide) first.current = request
  const isOwn = isMine(request)
  const isOthers = first.current.mayDecide && !mayDecide && request.decidedBy?.id !== me.value?.id
  return (
    <article class="my-access-one">
      <div class="my-access-head">
        {!isOwn && <Avatar person={requester} size={44} />}
        <div>
          <h1>{titleIn(request)}</h1>
          <p class="quiet small my-access-facts">
            <State {...request} />
            <span title={exactly(createdAt)}>{t.askedAt(ago(createdAt))}</span>
          </p>
        </div>
      </div>
      {isOthers && <Meanwhile request={request} note={kept.value.value?.note ?? ''} />}
      <Quote label={t.why} text={reason ?? t.noReason} />
      <p class="my-access-for">
        <Icon name="clock" size={18} />
        <span>
          {t.for}: <b>{inDays(days)}</b>
        </span>
      </p>
      {gains && <Gains gains={gains} />}
      {memberCount !== undefined && <p class="quiet small">{t.members(memberCount)}</p>}
      <Story request={request} />
      {mayDecide && first.current !== request && <Since before={first.current} now={request} />}
      {mayDecide && <Decide request={request} draft={kept} />}
      {isOwn && <Onward request={request} />}
      {isOwn && isAdmin.value && status === 'pending' && <p class="quiet small">{t.notOwn}</p>}
    </article>
  )
}

/** Shown for a request that the person may not read, or may no longer read; with the note that they typed. */
function Gone({ id }: { id: number }) {
  const note = useMemo(() => draftOf(id), [id]).value.value?.note.trim()
  return (
    <div>
      <Empty
        icon="lock"
        isPage
        title={t.gone}
        act={
          <a class="button" data-kind="main" href={at('/access')}>
            {words.title}
          </a>
        }
      >
        {t.goneHint}
      </Empty>
      {note && <TextArea label={t.typed} readOnly value={note} />}
    </div>
  )
}

/** One request; on a wide page, beside the list of the requests to decide. */
export function One({ id }: { id: number }) {
  const request = requestOf(id)
  const isOwn = !!request.data && isMine(request.data)
  const [list, name] = isOwn ? (['/access/requests', words.asked] as const) : (['/access/review', words.review] as const)
  const isGone = request.error instanceof Refusal && request.error.status === 404
  useTitle(isGone ? t.gone : request.data ? titleIn(request.data) : words.title)
  useWayBack(list, name)
  useStepKeys({ ids: () => (reviewOf(0).peek()?.items ?? []).map(({ id }) => id), under: '/access/requests', texts: t.keys })
  const isBeside = isWide.value && !isOwn && !!reviewOf(0).data?.totalCount
  return (
    <div class="my-access-beside" data-beside={isBeside || undefined}>
      {isBeside && (
        <nav aria-label={words.review}>
          <Review here={id} />
        </nav>
      )}
      {isGone ? (
        <Gone id={id} />
      ) : (
        <div>
          {isWide.value && (
            <a class="my-access-back quiet" href={at(list)}>
              <Icon name="arrow-left" size={18} />
              {isOwn ? t.toList.mine : t.toList.review}
            </a>
          )}
          <Loaded of={request} shape={<Skeleton count={2} height={10} />}>
            {(data) => <Whole key={id} request={data} />}
          </Loaded>
        </div>
      )}
    </div>
  )
}
