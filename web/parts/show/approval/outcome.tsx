import './style.css'
import type { Schemas } from '../../../platform/client.ts'
import { isolated, nameOf } from '../../../platform/language.ts'
import { me } from '../../../platform/session.ts'
import { TextArea } from '../../forms/field.tsx'
import { type Details, lastApproval } from './data.ts'
import { denialOf } from './steps.tsx'
import { t } from './texts.ts'
import { t as words } from './words-texts.ts'

type Person = Schemas['PersonSummary']
const decider = (person: Person | null | undefined) =>
  person?.id === me.value?.id ? t.decidedByYou : t.decidedBy(person ? isolated(nameOf(person)) : '')

/** Says how an order was decided, and by whom. */
function inWords(order: Schemas['ServiceOrder'], details: Details): string[] {
  const approval = details.approval!
  const denial = denialOf(details)
  if (denial) return [denial.by ? decider(denial.by) : words.states.denied, t.outcomes.denied]
  if (approval.lapseReason) return [t.lapsed[approval.lapseReason]]
  if (order.status === 'cancelled' && approval.state === 'waiting') return [t.withdrawn]
  const last = lastApproval(approval)
  if (!last) return [t.notYours]
  return [decider(last.by), approval.state === 'approved' ? t.outcomes.approved : t.outcomes.onward]
}

interface OutcomeProps {
  order: Schemas['ServiceOrder']
  details: Details
  /** The text that the person had typed when somebody else decided first. */
  note: string
}

/** The outcome of an order, for a person who came too late to decide on it. */
export function Outcome({ order, details, note }: OutcomeProps) {
  const [first, ...others] = inWords(order, details)
  return (
    <div class="card approval-outcome" role="status">
      <p>
        <strong>{first}</strong> {others.join(' ')}
      </p>
      {note.trim() && <TextArea label={t.typed} readOnly value={note} />}
    </div>
  )
}
