/** Every action of every caller in every state of a request: the answer, the row and the traces. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { silence, tracing } from '../../../../test/makers.ts'
import { type Ask, act, life, nextOf, type RequestRow, requestPortal, type State, type Verdict } from '../../../../test/meeting-requests.ts'
import { type Answer, testPortal } from '../../../../test/portal.ts'

const portal = testPortal()
const { who, executives, approvers, requestFor, rowOf } = requestPortal(portal)
const { traced } = tracing(portal)

const refusals: Record<Exclude<Verdict, 'ok'>, [number, { error: string; code: string }]> = {
  '401': [401, { error: 'Unauthorized', code: 'unauthorized' }],
  '403': [403, { error: 'Forbidden', code: 'forbidden' }],
  '400': [400, { error: 'This status cannot follow the current one.', code: 'invalid_transition' }],
}
/** The effects of each action: the new status, the name in the audit log, and the notification. */
const effects: Record<Ask, { to: State; action: string; titleEn?: string }> = {
  approved: { to: 'approved', action: 'approve', titleEn: 'Your meeting request was approved' },
  rejected: { to: 'rejected', action: 'reject', titleEn: 'Your meeting request was rejected' },
  needs_edit: { to: 'needs_edit', action: 'needs_edit', titleEn: 'Your meeting request needs changes' },
  withdraw: { to: 'withdrawn', action: 'withdraw' },
  resubmit: { to: 'pending', action: 'resubmit', titleEn: 'Meeting request resubmitted' },
}
const isDecision = (ask: Ask) => ask !== 'withdraw' && ask !== 'resubmit'
const NOTES = 'Mind the budget'
const AGAIN = { startTime: '13:00', endTime: '14:00' }
const WHY = 'The guest is late'
const bodyOf = (ask: Ask) => (ask === 'resubmit' ? { details: AGAIN, reason: WHY } : ask === 'withdraw' ? {} : { reviewNotes: NOTES })

const recordOf = (row: RequestRow) => ({
  id: row.id,
  meetingId: row.meeting_id,
  type: row.type,
  details: row.details,
  reason: row.reason,
  status: row.status,
  reviewNotes: row.review_notes,
  requesterId: row.requester_id,
  reviewerId: row.reviewer_id,
  reviewedAt: row.reviewed_at?.toISOString() ?? null,
})
function personOf(id: number | null, caller: string) {
  if (id === null) return null
  const name = ['requester', 'reviewer', caller].find((one) => who(one).id === id)!
  const names = name.endsWith('admin') ? { displayNameAr: null, displayNameEn: null } : { displayNameAr: 'هدى', displayNameEn: 'Huda' }
  return { id, username: who(name).username, ...names, avatarUrl: null }
}

interface Step {
  ask: Ask
  caller: string
  /** The request before the step and after it. */
  before: RequestRow
  after: RequestRow
  meeting: { id: number; date: string }
}
type Traces = Awaited<ReturnType<typeof portal.traces>>

function assertRow({ ask, caller, before, after }: Step) {
  const decision = { review_notes: NOTES, reviewer_id: who(caller).id, reviewed_at: after.reviewed_at }
  const changed = isDecision(ask) ? decision : ask === 'resubmit' ? { details: AGAIN, reason: WHY } : {}
  assert.deepEqual(after, { ...before, status: effects[ask].to, ...changed, updated_at: after.updated_at })
  assert.ok(after.updated_at > before.updated_at)
  if (isDecision(ask)) assert.ok(after.reviewed_at! > before.updated_at)
}

function assertAnswer({ ask, caller, after }: Step, { status, body }: Answer) {
  const { requesterId, reviewerId, ...record } = recordOf(after)
  const people = { requester: personOf(requesterId, caller), reviewer: personOf(reviewerId, caller) }
  const stamps = { createdAt: after.created_at.toISOString(), updatedAt: after.updated_at.toISOString() }
  const next = nextOf(effects[ask].to, caller)
  assert.deepEqual([status, body], [200, { ...record, ...people, ...stamps, meeting: body.meeting, conflicts: body.conflicts, next }])
  assert.equal(body.meeting?.id ?? null, record.meetingId)
}

function assertRecorded({ ask, before, after, meeting }: Step, { audit, histories }: Traces) {
  const own = { action: `meeting_request.${effects[ask].action}`, type: 'meeting_request', target: after.id }
  const update = { action: 'meeting.update', type: 'meeting', target: meeting.id }
  assert.deepEqual(
    audit.map(({ metadata: _, ...row }) => row),
    ask === 'approved' ? [own, update] : [own],
  )
  assert.deepEqual(audit[0]!.metadata, { before: recordOf(before), after: recordOf(after) })
  assert.deepEqual(histories, [])
}

/** A decision notifies the requester; a resubmission notifies everybody else who may decide. */
function recipientsOf({ ask, after }: Step) {
  if (isDecision(ask)) return [after.requester_id]
  return ask === 'resubmit' ? approvers().filter((id) => id !== after.requester_id) : []
}
function assertNotified(step: Step, { notices, events }: Traces) {
  const { ask, after, meeting } = step
  const recipients = recipientsOf(step)
  assert.deepEqual(
    notices,
    recipients.map((user) => ({ user, type: 'meeting', titleEn: effects[ask].titleEn })),
  )
  assert.deepEqual(events.at(-1), { event: 'meetings_changed', data: { date: meeting.date }, to: executives() })
  assert.deepEqual(
    events.slice(0, -1).map(({ event, to }) => [event, to]),
    recipients.map((id) => ['notification_created', [id]]),
  )
  for (const { data } of events.slice(0, -1)) {
    const { notification } = data as { notification: Record<string, unknown> }
    assert.deepEqual([notification['relatedType'], notification['relatedId']], ['meeting_request', after.id])
    const bodies = `${notification['bodyAr']} ${notification['bodyEn']}`
    assert.match(bodies, isDecision(ask) ? /«Budget».*Mind.*“Budget”.*Mind/ : /«Budget».*late.*“Budget”.*late/)
  }
}

async function assertTimes({ ask, meeting }: Step) {
  const [times] = await portal.sql('select start_time, end_time from meetings where id = $1', [meeting.id])
  assert.deepEqual(times, ask === 'approved' ? { start_time: '11:00', end_time: '12:00' } : { start_time: '09:00', end_time: '10:00' })
}

function assertRefused(verdict: Exclude<Verdict, 'ok'>, { status, body: { messageAr, messageEn, ...body } }: Answer, traces: Traces) {
  assert.deepEqual([status, body], refusals[verdict])
  assert.deepEqual([typeof messageAr, typeof messageEn], ['string', 'string'])
  assert.deepEqual(traces, silence)
}

type Made = Awaited<ReturnType<typeof requestFor>>
async function checkVerdict({ id, meeting }: Made, caller: string, ask: Ask, verdict: Verdict) {
  const before = (await rowOf(id))!
  const { answer, ...traces } = await traced(() => act(who(caller), ask, id, bodyOf(ask)))
  const step = { ask, caller, before, after: (await rowOf(id))!, meeting }
  if (verdict !== 'ok') {
    assertRefused(verdict, answer, traces)
    return assert.deepEqual(step.after, before)
  }
  assertRow(step)
  assertAnswer(step, answer)
  assertRecorded(step, traces)
  assertNotified(step, traces)
  await assertTimes(step)
}

for (const [state, callers] of Object.entries(life) as [State, (typeof life)[State]][])
  for (const [caller, verdicts] of Object.entries(callers))
    test(`the steps of the ${caller} in a ${state} request have the results in the table`, async (t) => {
      // A refused action does not change the request, so the next action can use the same request.
      const unchanged = await requestFor(state, caller)
      for (const [ask, verdict] of Object.entries(verdicts) as [Ask, Verdict][])
        await t.test(`${ask}: ${verdict}`, async () =>
          checkVerdict(verdict === 'ok' ? await requestFor(state, caller) : unchanged, caller, ask, verdict),
        )
    })

test('the matrix covers every state and every caller', () => {
  assert.deepEqual(Object.keys(life).toSorted(), ['approved', 'needs_edit', 'pending', 'rejected', 'withdrawn'])
  for (const callers of Object.values(life)) assert.equal(Object.keys(callers).length, 11)
})
