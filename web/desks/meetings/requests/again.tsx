import { DateField } from '../../../parts/forms/calendar/date-field.tsx'
import { TextArea } from '../../../parts/forms/field.tsx'
import { Form, Save } from '../../../parts/forms/form/form.tsx'
import { type FormState, useForm } from '../../../parts/forms/form/use-form.ts'
import { TimeField } from '../../../parts/forms/time/time-field.tsx'
import { ConfirmedButton } from '../../../parts/overlay/confirmed-button.tsx'
import type { Schemas } from '../../../platform/client.ts'
import { meetingsOf, titleOf as titleOfMeeting } from '../shared/day.ts'
import { dayName } from '../shared/days.ts'
import { AttendeesField } from '../shared/editor/attendees-field.tsx'
import { Changed } from '../shared/editor/changed.tsx'
import { Fields } from '../shared/editor/fields.tsx'
import { t as words } from '../shared/editor/texts.ts'
import { fieldsOf, plannedOf, type Values, valuesOf } from '../shared/editor/values.ts'
import { officeDay } from '../shared/office.ts'
import { Strip } from '../shared/strip.tsx'
import { requestOf, resubmit, withdraw } from './data.ts'
import { type Request, type Side, wordsOf } from './proposal.ts'
import { t } from './texts.ts'

/** The button that withdraws one's own request, after a confirmation. */
export const Withdraw = ({ request }: { request: Request }) => (
  <ConfirmedButton act={t.withdraw} hint={t.withdrawHint} keep={t.keep} run={() => withdraw(request)} />
)

/** The values of the form: the fields of a meeting, the text of a note or a cancellation, and the reason. */
interface Again extends Values {
  text: string
  reason: string
}

const times = ['date', 'startTime', 'endTime'] as const

/** The form's proposal: for an edit, only the fields that differ from the meeting; for any other type, all fields of that type. */
function detailsOf({ type, details }: Request, before: Side | undefined, all: Again): Schemas['MeetingProposal'] {
  const { text, reason: _, ...values } = all
  if (type === 'note' || type === 'cancel') return text.trim() || type === 'note' ? { text } : {}
  if (type === 'attendees') return fieldsOf({ attendees: values.attendees })
  if (type === 'reschedule') return fieldsOf(Object.fromEntries(times.map((name) => [name, values[name]])))
  if (!before) return fieldsOf(values)
  const former = valuesOf({ ...before, id: 0, sortOrder: 0, createdBy: null, createdAt: '', updatedAt: '' })
  const changed = Object.entries(values).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(former[name as keyof Values]))
  // A proposed status has no field in this form: keep it.
  const { status } = details as { status?: Side['status'] }
  return { ...fieldsOf(Object.fromEntries(changed)), ...(status && { status }) }
}

const Reschedule = ({ form }: { form: FormState<Again> }) => (
  <div class="requests-when">
    <DateField required label={words.date} now={officeDay()} {...form.moment('date')} />
    <TimeField label={words.start} {...form.moment('startTime')} />
    <TimeField label={words.end} {...form.moment('endTime')} />
  </div>
)

interface AgainProps {
  request: Request
  before: Side | undefined
  after: Side
}

/** The form that changes a returned request and sends it again. */
export function AskAgain({ request, before, after }: AgainProps) {
  const { id, type, meetingId } = request
  const form = useForm<Again>({
    from: {
      ...valuesOf({ ...after, id: 0, sortOrder: 0, createdBy: null, createdAt: '', updatedAt: '' }),
      ...{ text: wordsOf(request), reason: request.reason ?? '' },
    },
    version: requestOf(id).version,
    sendsUnchanged: true,
    draft: `request:${id}`,
    save: (_changed, known, all) => resubmit(request, detailsOf(request, before, all), all.reason, known),
    saidOf: () => '',
  })
  const { values } = form
  const own = { ...plannedOf(meetingId ?? undefined, values), title: titleOfMeeting(values) }
  const day = meetingsOf(values.date).data ?? []
  const strip = <Strip label={words.strip(dayName(values.date))} day={day.filter((one) => one.id !== meetingId)} own={own} />
  return (
    <section class="card requests-again">
      <h2>{t.again}</h2>
      <Form of={form}>
        <Changed form={form} labels={{ text: t.text, reason: t.why }} />
        {(type === 'create' || type === 'edit') && <Fields form={form as unknown as FormState<Values>} strip={strip} />}
        {type === 'reschedule' && (
          <>
            <Reschedule form={form} />
            {strip}
          </>
        )}
        {type === 'attendees' && <AttendeesField people={values.attendees} change={(people) => form.set('attendees', people)} />}
        {type === 'note' && <TextArea label={t.text} rows={3} maxLength={5000} {...form.text('text')} />}
        <TextArea label={t.why} rows={2} maxLength={1000} {...form.text('reason')} />
        <div class="requests-acts">
          <Save of={form} text={t.resubmit} />
          <Withdraw request={request} />
        </div>
      </Form>
    </section>
  )
}
