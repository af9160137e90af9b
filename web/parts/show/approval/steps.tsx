import './style.css'
import { ago } from '../../../platform/ago.ts'
import { resource } from '../../../platform/cache.ts'
import { exactly } from '../../../platform/dates.ts'
import { formatNumber, isolated, named, nameOf } from '../../../platform/language.ts'
import { Avatar } from '../avatar.tsx'
import { Icon, type IconName } from '../icon.tsx'
import type { Approval, Details } from './data.ts'
import { t } from './texts.ts'
import { waitingInWords } from './words.ts'
import { t as words } from './words-texts.ts'

type Step = Approval['steps'][number]
type Person = Approval['waitsFor'][number]

const LIMIT = 200

/**
 * The person who denied an order, the time and the reason; undefined if the order was not denied. The person is null until the timeline is
 * loaded. A component that calls this function is rendered again when it is.
 */
export function denialOf({ orderId, approval, cancelReason }: Details) {
  if (approval?.state !== 'denied') return undefined
  const entry = resource('/orders/{id}/timeline', { path: { id: orderId }, query: { limit: LIMIT } }).data?.entries.find(
    ({ kind }) => kind === 'denial',
  )
  return { by: entry?.by ?? null, at: entry?.at, reason: cancelReason }
}

interface DoneProps {
  person: Person | null
  text: string
  at: string | undefined
  note: string | null
}
const Done = ({ person, text, at, note }: DoneProps) => (
  <div class="approval-done">
    {person && <Avatar person={person} size={28} />}
    <div>
      <p>
        {text}{' '}
        {at && (
          <time class="quiet small" dateTime={at} title={exactly(at)}>
            {ago(at)}
          </time>
        )}
      </p>
      {note && (
        <div class="approval-note">
          <blockquote dir="auto">{note}</blockquote>
        </div>
      )}
    </div>
  </div>
)

const marks = { done: 'circle-check', open: 'hourglass', stopped: 'circle-x', later: 'circle' } as const satisfies Record<string, IconName>

function OneStep({ step, details, isOpen, isStopped }: { step: Step; details: Details; isOpen: boolean; isStopped: boolean }) {
  const approval = details.approval!
  const { needed, approvals, doneAt } = step
  const denial = isStopped ? denialOf(details) : undefined
  const state = doneAt ? 'done' : isOpen ? 'open' : isStopped ? 'stopped' : 'later'
  return (
    <li data-state={state}>
      <Icon name={marks[state]} size={20} />
      <div>
        <p class="approval-step">
          <bdi>{named(step)}</bdi>
          {needed > 1 && !doneAt && <span class="quiet small">{t.ofSeveral(formatNumber(approvals.length), formatNumber(needed))}</span>}
        </p>
        {approvals.map(({ by, asAdmin, note, at }) => (
          <Done key={by.id} person={by} text={(asAdmin ? t.approvedAsAdmin : t.approvedBy)(isolated(nameOf(by)))} at={at} note={note} />
        ))}
        {denial && (
          <Done
            person={denial.by}
            text={denial.by ? t.deniedBy(isolated(nameOf(denial.by))) : words.states.denied}
            at={denial.at}
            note={denial.reason}
          />
        )}
        {isOpen && <p class="quiet">{waitingInWords(approval)}</p>}
        {state === 'later' && <p class="quiet small">{approval.step ? t.later : t.notReached}</p>}
      </div>
    </li>
  )
}

/** The approval steps of an order: each decision with its person, and the people for whom the order waits. */
export function ApprovalSteps({ details }: { details: Details }) {
  const approval = details.approval!
  const stopped = approval.state === 'denied' ? approval.steps.findIndex(({ doneAt }) => !doneAt) : -1
  return (
    <section class="approval-steps" aria-labelledby="approvals">
      <h2 id="approvals">{t.steps}</h2>
      <ol>
        {approval.steps.map((step, place) => (
          <OneStep
            key={step.key}
            step={step}
            details={details}
            isOpen={approval.state === 'waiting' && step.key === approval.step}
            isStopped={place === stopped}
          />
        ))}
      </ol>
      {approval.lapseReason && <p>{t.lapsed[approval.lapseReason]}</p>}
      {approval.lapsesAt && <p class="quiet small">{t.until(exactly(approval.lapsesAt))}</p>}
    </section>
  )
}
