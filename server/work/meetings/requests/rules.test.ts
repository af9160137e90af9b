import assert from 'node:assert/strict'
import { test } from 'node:test'
import { APPROVE } from '../rules.ts'
import { type Ask, actions, askOf, asks, decisions, findStep, nextAsks, noticeFor, paramsFor, statuses, stepOf, types } from './rules.ts'

const hasScope = () => true
const may = (allow: unknown) => allow === APPROVE
const askers = {
  requester: { id: 1, isAdmin: false, mayEnter: () => false, hasScope },
  reviewer: { id: 2, isAdmin: false, mayEnter: may, hasScope },
  /** A requester who may also decide on requests. */
  both: { id: 1, isAdmin: false, mayEnter: may, hasScope },
  /** A requester who is an administrator and may decide on requests. */
  chief: { id: 1, isAdmin: true, mayEnter: may, hasScope },
  stranger: { id: 3, isAdmin: false, mayEnter: () => false, hasScope },
  /** An administrator without the permission to approve may not decide. */
  powerless: { id: 4, isAdmin: true, mayEnter: () => false, hasScope },
}
type Who = keyof typeof askers

test('the types, statuses and actions of requests are those of the contract', () => {
  assert.deepEqual(types, ['create', 'reschedule', 'edit', 'cancel', 'attendees', 'note'])
  assert.deepEqual(statuses, ['pending', 'approved', 'rejected', 'needs_edit', 'withdrawn'])
  assert.deepEqual(decisions, ['approved', 'rejected', 'needs_edit'])
  assert.deepEqual(actions, ['withdraw', 'resubmit'])
})

const decide = 'approved rejected needs_edit'
/** The steps that each person may take, by the state of a request that person 1 made. */
const open: Record<(typeof statuses)[number], Partial<Record<Who, string>>> = {
  pending: { requester: 'withdraw', reviewer: decide, both: 'withdraw', chief: `${decide} withdraw` },
  needs_edit: { requester: 'withdraw resubmit', both: 'withdraw resubmit', chief: 'withdraw resubmit' },
  approved: {},
  rejected: {},
  withdrawn: {},
}
for (const status of statuses)
  for (const who of Object.keys(askers) as Who[])
    test(`the ${who} may take exactly the allowed steps of a ${status} request`, () => {
      const request = { status, requesterId: 1 }
      const expected = open[status][who] ?? ''
      assert.equal(nextAsks(request, askers[who]).join(' '), expected)
      for (const asked of asks) {
        const isOpen = expected.split(' ').includes(asked)
        if (isOpen) assert.equal(findStep(request, askers[who], asked), stepOf(asked))
        else assert.throws(() => findStep(request, askers[who], asked), { code: /^(forbidden|invalid_transition)$/ })
      }
    })

test('a step that no state allows the caller is forbidden, and a step that only the current state forbids is an invalid transition', () => {
  assert.throws(() => findStep({ status: 'approved', requesterId: 1 }, askers.reviewer, 'approved'), { code: 'invalid_transition' })
  assert.throws(() => findStep({ status: 'approved', requesterId: 1 }, askers.requester, 'approved'), { code: 'forbidden' })
  assert.throws(() => findStep({ status: 'approved', requesterId: 1 }, askers.requester, 'withdraw'), { code: 'invalid_transition' })
  assert.throws(() => findStep({ status: 'pending', requesterId: null }, askers.requester, 'withdraw'), { code: 'forbidden' })
})

test('each step leads to its status and has its action in the log', () => {
  assert.deepEqual(
    asks.map((asked) => [asked, stepOf(asked).to, stepOf(asked).action]),
    [
      ['approved', 'approved', 'approve'],
      ['rejected', 'rejected', 'reject'],
      ['needs_edit', 'needs_edit', 'needs_edit'],
      ['withdraw', 'withdrawn', 'withdraw'],
      ['resubmit', 'pending', 'resubmit'],
    ],
  )
})

test('a body must contain exactly one step', () => {
  assert.equal(askOf({ status: 'approved' }), 'approved')
  assert.equal(askOf({ action: 'withdraw' }), 'withdraw')
  assert.equal(askOf({ action: 'resubmit', details: {} }), 'resubmit')
})
const wrong: [body: { status?: Ask; action?: Ask }, path: string][] = [
  [{}, 'status'],
  [{ status: 'approved', action: 'withdraw' }, 'action'],
  [{ action: 'resubmit' }, 'details'],
]
for (const [body, path] of wrong)
  test(`the body ${JSON.stringify(body)} is refused at ${path}`, () => {
    assert.throws(
      () => askOf(body),
      (error: { code: string; extras: { body: { details: { path: string }[] } } }) => {
        assert.deepEqual([error.code, error.extras.body.details.map((detail) => detail.path)], ['validation_failed', [path]])
        return true
      },
    )
  })

test('each decision has its own notice to the requester', () => {
  assert.deepEqual(noticeFor, {
    approved: 'meeting_request_approved',
    rejected: 'meeting_request_rejected',
    needs_edit: 'meeting_request_returned',
  })
})

test('the texts have the meeting, the person and the notes in each language', () => {
  const person = { username: 'huda', displayNameAr: 'هدى', displayNameEn: 'Huda' }
  assert.deepEqual(paramsFor({ titleAr: 'الميزانية', titleEn: 'Budget' }, person, 'Too early'), {
    ar: { meeting: 'الميزانية', person: 'هدى', notes: ' Too early' },
    en: { meeting: 'Budget', person: 'Huda', notes: ' Too early' },
  })
  const bare = (titles: object) =>
    Object.values(paramsFor(titles, null, null)).map(({ meeting, person, notes }) => [meeting, person, notes])
  assert.deepEqual(bare({ titleEn: 'Budget' }), [
    ['Budget', '', ''],
    ['Budget', '', ''],
  ])
  assert.deepEqual(bare({ titleAr: 'الميزانية', titleEn: '' }), [
    ['الميزانية', '', ''],
    ['الميزانية', '', ''],
  ])
  assert.deepEqual(bare({}), [
    ['', '', ''],
    ['', '', ''],
  ])
})
