import { useMemo, useRef } from 'preact/hooks'
import { TextArea } from '../../../parts/forms/field.tsx'
import { Avatar } from '../../../parts/show/avatar.tsx'
import { Icon } from '../../../parts/show/icon.tsx'
import { Skeleton } from '../../../parts/show/skeleton.tsx'
import { useReadAbout } from '../../../people/notifications/data.ts'
import { ago } from '../../../platform/ago.ts'
import { resource } from '../../../platform/cache.ts'
import { exactly } from '../../../platform/dates.ts'
import { draft } from '../../../platform/drafts.ts'
import { isolated, listed, nameOf } from '../../../platform/language.ts'
import { at } from '../../../platform/router.ts'
import { me } from '../../../platform/session.ts'
import { type Meeting, meetingOf } from '../shared/day.ts'
import { decidersBut } from '../shared/people.ts'
import { standing } from '../shared/standing.ts'
import { AskAgain, Withdraw } from './again.tsx'
import { Compare } from './compare.tsx'
import { isMine, titleOf } from './data.ts'
import { Decide } from './decide.tsx'
import { verdictOf } from './list.tsx'
import { afterOf, askedFields, fieldOf, type Request, type Side, wordsOf } from './proposal.ts'
import { t } from './texts.ts'
import { DayThen } from './then.tsx'

/** A sentence names at most this many of the people who may decide. */
const NAMED = 3

function Head({ request }: { request: Request }) {
  const { requester, createdAt, status, next } = request
  const deciders = listed(decidersBut(requester?.id, me.value?.id).slice(0, NAMED))
  const isOpen = status === 'pending'
  return (
    <div class="requests-head">
      {requester && <Avatar person={requester} size={44} />}
      <div>
        <h1>{titleOf(request)}</h1>
        <p class="quiet" title={exactly(createdAt)}>
          {isMine(request) ? t.ownFrom(ago(createdAt)) : t.from(requester ? isolated(nameOf(requester)) : t.someone, ago(createdAt))}{' '}
          {isOpen && (next.includes('approved') ? (deciders ? t.yoursAnd(deciders) : t.yours) : deciders && t.theirs(deciders))}
        </p>
      </div>
    </div>
  )
}

/** A quotation below its author. */
const Quote = ({ label, text }: { label: string; text: string }) => (
  <figure class="requests-quote">
    <figcaption class="quiet small">{label}</figcaption>
    <blockquote dir="auto">{text}</blockquote>
  </figure>
)

/** Says that the meeting has changed since the request, and names the changed fields that the person may know of. */
function ChangedSince({ request, meeting }: { request: Request; meeting: Meeting }) {
  const mayLook = standing.data?.canViewAudit
  const log = mayLook
    ? resource('/executive-meetings/audit-logs', { query: { entityKind: 'meeting', entityId: meeting.id, limit: 20 } }).data
    : undefined
  if (meeting.updatedAt <= request.updatedAt || (mayLook && !log)) return null
  const entries = log?.entries.filter(({ action, createdAt }) => action === 'update' && createdAt > request.updatedAt)
  if (entries?.length === 0) return null
  const columns = entries?.flatMap(({ before, after }) =>
    Object.keys({ ...before, ...after }).filter((column) => JSON.stringify(before?.[column]) !== JSON.stringify(after?.[column])),
  )
  const names = [...new Set(columns?.flatMap((column) => fieldOf(column) ?? []))].map((field) => t.fields[field])
  return (
    <p class="requests-since" role="status">
      <Icon name="triangle-alert" size={18} />
      <span>{t.since(listed(names), ago(meeting.updatedAt))}</span>
    </p>
  )
}

/** Says what somebody else did with the request while the page was open, and shows the typed comment so that it can be copied. */
function Meanwhile({ request, word }: { request: Request; word: string }) {
  const { status, reviewer } = request
  return (
    <div class="card requests-meanwhile" role="status">
      <p>
        {status === 'withdrawn' ? t.withdrawnMeanwhile : t.meanwhile(t.verdicts[status], reviewer ? isolated(nameOf(reviewer)) : t.someone)}
      </p>
      {word.trim() && <TextArea label={t.typed} readOnly value={word} />}
    </div>
  )
}

/** A request: who wants what and why, its effects, and the steps that the person may take. */
export function Review({ request }: { request: Request }) {
  const { type, status, meetingId, next, reason, reviewNotes, reviewer } = request
  useReadAbout('meeting_request', request.id)
  const word = useMemo(() => draft(`request:${request.id}:word`, ''), [request.id])
  const isOpen = status === 'pending' || status === 'needs_edit'
  const mayDecide = next.includes('approved')
  const didWait = useRef(mayDecide)
  if (mayDecide) didWait.current = true
  const needed = isOpen && type !== 'create' && meetingId !== null
  const meeting = needed ? meetingOf(meetingId).data : undefined
  const words = type === 'cancel' ? wordsOf(request) : ''
  const side: Side | undefined = meeting
  const after = afterOf(request, side)
  const isOthers = didWait.current && !mayDecide && reviewer?.id !== me.value?.id
  return (
    <>
      <Head request={request} />
      {isOthers && <Meanwhile request={request} word={word.value.value ?? ''} />}
      {!isOpen && (
        <p class="requests-verdict">
          <span class="chip" data-kind={{ approved: 'on', rejected: 'danger' }[status as string]}>
            {t.verdicts[status]}
          </span>
          <span class="quiet">{verdictOf(request)}</span>
        </p>
      )}
      {reviewNotes && status !== 'pending' && (
        <Quote label={t.wordOf(reviewer ? isolated(nameOf(reviewer)) : t.someone)} text={reviewNotes} />
      )}
      {reason && <Quote label={t.why} text={reason} />}
      {words && <Quote label={t.why} text={words} />}
      {meeting && status === 'pending' && <ChangedSince request={request} meeting={meeting} />}
      {needed && !meeting ? (
        <Skeleton count={1} height={12} />
      ) : (
        <>
          <Compare before={side} after={after} asked={askedFields(request)} />
          {isOpen && !next.includes('resubmit') && <DayThen id={meetingId ?? undefined} before={side} after={after} />}
          {mayDecide && <Decide request={request} before={side} after={after} word={word} />}
          {!mayDecide && status === 'pending' && (
            <div class="card requests-end">
              <p>{isMine(request) ? (standing.data?.canApprove ? t.notOwn : t.waits) : t.onlyDeciders}</p>
              {next.includes('withdraw') && (
                <div class="requests-acts">
                  <Withdraw request={request} />
                </div>
              )}
            </div>
          )}
          {next.includes('resubmit') && <AskAgain request={request} before={side} after={after} />}
        </>
      )}
      {!isOpen && request.meeting && (
        <p>
          <a class="button" href={at(`/meetings/${request.meeting.date}?open=${request.meeting.id}`)}>
            {t.toMeeting}
          </a>
        </p>
      )}
    </>
  )
}
