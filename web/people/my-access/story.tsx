import type { ComponentChildren } from 'preact'
import { Avatar } from '../../parts/show/avatar.tsx'
import { ago } from '../../platform/ago.ts'
import { exactly } from '../../platform/dates.ts'
import { formatNumber, isolated, nameOf } from '../../platform/language.ts'
import type { AccessRequest } from './data.ts'
import { t } from './decide-texts.ts'
import { t as words } from './texts.ts'

type Person = AccessRequest['requester']

/** A step of a request: who, when, and the note. */
const Step = ({ person, text, at, note }: { person: Person | null; text: ComponentChildren; at: string; note: string | null }) => (
  <li>
    {person && <Avatar person={person} size={28} />}
    <div>
      <p>
        {text}{' '}
        <time class="quiet small" dateTime={at} title={exactly(at)}>
          {ago(at)}
        </time>
      </p>
      {note && (
        <div class="my-access-quote">
          <blockquote dir="auto">{note}</blockquote>
        </div>
      )}
    </div>
  </li>
)

/** How a denied, withdrawn or lapsed request ended. */
function Verdict({ request: { status, lapseReason, decidedBy, decisionNote, decidedAt, updatedAt } }: { request: AccessRequest }) {
  const when = decidedAt ?? updatedAt
  const person = decidedBy ? isolated(nameOf(decidedBy)) : ''
  if (status === 'denied') return <Step person={decidedBy} text={t.deniedBy(person)} at={when} note={decisionNote} />
  if (status === 'withdrawn') return <Step person={null} text={t.withdrawn} at={when} note={null} />
  if (status === 'lapsed')
    return <Step person={null} text={lapseReason ? t.lapsed[lapseReason] : words.states.lapsed} at={when} note={null} />
  return null
}

/** The approvals of a request, how many it needs while it is pending, and its result. */
export function Story({ request }: { request: AccessRequest }) {
  const { approvals, neededApprovals, status, grantEndsAt } = request
  const isOpen = status === 'pending'
  return (
    <section class="my-access-story" aria-labelledby="story">
      <h2 id="story">{t.story}</h2>
      {isOpen && (
        <p class="quiet">
          {approvals.length > 0 ? t.counts(formatNumber(approvals.length), formatNumber(neededApprovals)) : t.needed(neededApprovals)}
        </p>
      )}
      <ol>
        {approvals.map(({ approver, note, days, at }) => (
          <Step
            key={approver.id}
            person={approver}
            text={`${t.approvedBy(isolated(nameOf(approver)))}${days === null ? '' : t.forAtMost(words.days(days))}`}
            at={at}
            note={note}
          />
        ))}
        <Verdict request={request} />
      </ol>
      {status === 'approved' && <p>{grantEndsAt ? t.ends(exactly(grantEndsAt)) : t.endless}</p>}
    </section>
  )
}
