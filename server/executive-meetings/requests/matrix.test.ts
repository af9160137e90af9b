/** Every state of a request, every caller, everything asked: the answer, the row and the traces, cell by cell of the page. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { silence } from '../../../test/makers.ts'
import { type Ask, act, life, nextOf, type RequestRow, requestPortal, type State, type Verdict } from '../../../test/meeting-requests.ts'
import { type Answer, testPortal } from '../../../test/portal.ts'

const portal = testPortal()
const { who, executives, approvers, requestFor, rowOf } = requestPortal(portal)

const refusals: Record<Exclude<Verdict, 'ok'>, [number, { error: string; code: string }]> = {
  '401': [401, { error: 'Unauthorized', code: 'unauthorized' }],
  '403': [403, { error: 'Forbidden', code: 'forbidden' }],
  '400': [400, { error: 'This status cannot follow the current one.', code: 'invalid_transition' }],
}
const tales: Record<Ask, { to: State; action: string; titleEn?: string }> = {
  approved: { to: 'approved', action: 'approve', titleEn: 'Your meeting request was approved' },
  rejected: { to: 'rejected', action: 'reject', titleEn: 'Your meeting request was rejected' },
  needs_edit: { to: 'needs_edit', action: 'needs_edit', titleEn: 'Your meeting request needs changes' },
  withdraw: { to: 'withdrawn', action: 'withdraw' },
  resubmit: { to: 'pending', action: 'resubmit', titleEn: 'Meeting request resubmitted' },
}
const isDecision = (ask: Ask) => ask !== 'withdraw' && ask !== 'resubmit'
const NOTES = 'Mind the budget'
const AGAIN = { startTime: '13:00', endTime: '14:00' }
const bodyOf = (ask: Ask) => (ask === 'resubmit' ? { details: AGAIN } : ask === 'withdraw' ? {} : { reviewNotes: NOTES })

const recordOf = (row: RequestRow) => ({
  id: row.id,
  meetingId: row.meeting_id,
  type: row.type,
  details: row.details,
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

interface Cell {
  ask: Ask
  caller: string
  before: RequestRow
  meeting: { id: number; date: string }
}
async function checkMoved({ ask, caller, before, meeting }: Cell, answer: Answer, traces: Awaited<ReturnType<typeof portal.traces>>) {
  const { to, action, titleEn } = tales[ask]
  const row = (await rowOf(before.id))!
  const decided = isDecision(ask)
    ? { review_notes: NOTES, reviewer_id: who(caller).id, reviewed_at: row.reviewed_at }
    : ask === 'resubmit'
      ? { details: AGAIN }
      : {}
  assert.deepEqual(row, { ...before, status: to, ...decided, updated_at: row.updated_at })
  assert.ok(row.updated_at > before.updated_at)
  if (isDecision(ask)) assert.ok(row.reviewed_at! > before.updated_at)

  const { requesterId, reviewerId, ...record } = recordOf(row)
  const people = { requester: personOf(requesterId, caller), reviewer: personOf(reviewerId, caller) }
  const stamps = { createdAt: row.created_at.toISOString(), updatedAt: row.updated_at.toISOString() }
  const conflicts = answer.body.conflicts
  assert.deepEqual([answer.status, answer.body], [200, { ...record, ...people, ...stamps, conflicts, next: nextOf(to, caller) }])

  const isApplied = ask === 'approved'
  const audits = traces.audit.map(({ action, type, target }) => ({ action, type, target }))
  const own = { action: `meeting_request.${action}`, type: 'meeting_request', target: row.id }
  assert.deepEqual(audits, isApplied ? [own, { action: 'meeting.update', type: 'meeting', target: meeting.id }] : [own])
  assert.deepEqual(traces.audit[0]!.metadata, { before: recordOf(before), after: recordOf(row) })
  assert.deepEqual(traces.histories, [])

  const recipients = isDecision(ask) ? [row.requester_id] : ask === 'resubmit' ? approvers().filter((id) => id !== row.requester_id) : []
  assert.deepEqual(
    traces.notices,
    recipients.map((user) => ({ user, type: 'meeting', titleEn })),
  )
  const [told, changed] = [traces.events.slice(0, -1), traces.events.at(-1)]
  assert.deepEqual(changed, { event: 'meetings_changed', data: { date: meeting.date }, to: executives() })
  assert.deepEqual(
    told.map(({ event, to }) => [event, to]),
    recipients.map((id) => ['notification_created', [id]]),
  )
  for (const { data } of told) {
    const { notification } = data as { notification: Record<string, unknown> }
    assert.deepEqual([notification['relatedType'], notification['relatedId']], ['meeting_request', row.id])
    assert.match(
      `${notification['bodyAr']} ${notification['bodyEn']}`,
      isDecision(ask) ? /«Budget».*Mind.*“Budget”.*Mind/ : /«Budget».*“Budget”/,
    )
  }
  const [met] = await portal.sql('select start_time, end_time from meetings where id = $1', [meeting.id])
  assert.deepEqual(met, isApplied ? { start_time: '11:00', end_time: '12:00' } : { start_time: '09:00', end_time: '10:00' })
}

type Scene = Awaited<ReturnType<typeof requestFor>>
async function checkCell({ id, meeting }: Scene, caller: string, ask: Ask, verdict: Verdict) {
  const before = (await rowOf(id))!
  let answer!: Answer
  const traces = await portal.traces(async () => {
    answer = await act(who(caller), ask, id, bodyOf(ask))
  })
  if (verdict === 'ok') return checkMoved({ ask, caller, before, meeting }, answer, traces)
  const { messageAr, messageEn, ...body } = answer.body
  assert.deepEqual([answer.status, body], refusals[verdict])
  assert.deepEqual([typeof messageAr, typeof messageEn], ['string', 'string'])
  assert.deepEqual(traces, silence)
  assert.deepEqual(await rowOf(id), before)
}

for (const [state, callers] of Object.entries(life) as [State, (typeof life)[State]][])
  for (const [caller, verdicts] of Object.entries(callers))
    test(`a request ${state}: what its ${caller} may do`, async (t) => {
      // What is refused leaves it as it is, for the next.
      const left = await requestFor(state, caller)
      for (const [ask, verdict] of Object.entries(verdicts) as [Ask, Verdict][])
        await t.test(`${ask}: ${verdict}`, async () =>
          checkCell(verdict === 'ok' ? await requestFor(state, caller) : left, caller, ask, verdict),
        )
    })

test('the matrix covers every state and every caller', () => {
  assert.deepEqual(Object.keys(life).toSorted(), ['approved', 'needs_edit', 'pending', 'rejected', 'withdrawn'])
  for (const callers of Object.values(life)) assert.equal(Object.keys(callers).length, 11)
})
