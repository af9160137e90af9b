import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  checkAssignment,
  checkRelease,
  findStep,
  lostClaim,
  mayDelete,
  mayRead,
  nextStatuses,
  type OrderFacts,
  orderChangeOf,
  paramsFor,
  statuses,
  textOf,
  textsForWorkers,
} from './rules.ts'

const [yes, no] = [() => true, () => false]
const somebody = { isAdmin: false, receives: no, leads: no, hasScope: yes }
/**
 * Callers for an order by person 1. `assignee` is the receiver who claimed the order, `receiver` is another receiver, and `stranger` has no
 * part in the order.
 */
const askers = {
  owner: { ...somebody, id: 1 },
  admin: { ...somebody, id: 2, isAdmin: true },
  assignee: { ...somebody, id: 3, receives: yes },
  receiver: { ...somebody, id: 4, receives: yes },
  lead: { ...somebody, id: 6, leads: yes },
  stranger: { ...somebody, id: 5 },
  /** The receiver who claimed the order and has lost the right to receive it. */
  former: { ...somebody, id: 3 },
}
type Who = keyof typeof askers

const order = (status: OrderFacts['status'], assignedTo: number | null): OrderFacts => ({ status, userId: 1, assignedTo, team: null })
const soon = new Date()

/** For each state and assignee, the statuses that each caller may set, and the callers who may delete the order. */
const open: [status: OrderFacts['status'], assignedTo: number | null, by: Partial<Record<Who, string>>, deletedBy: string][] = [
  [
    'pending',
    null,
    { owner: 'cancelled', admin: 'cancelled', assignee: 'received', receiver: 'received', lead: 'cancelled' },
    'admin assignee receiver',
  ],
  [
    'received',
    3,
    { owner: 'cancelled', admin: 'preparing completed cancelled', assignee: 'preparing completed cancelled', lead: 'cancelled' },
    'admin assignee',
  ],
  ['preparing', 3, { admin: 'completed cancelled', assignee: 'completed cancelled', lead: 'cancelled' }, 'admin assignee'],
  ['completed', 3, { admin: 'cancelled' }, 'owner admin'],
  ['cancelled', null, { owner: 'pending', admin: 'pending' }, 'owner admin'],
  ['cancelled', 3, { owner: 'received', admin: 'received' }, 'owner admin'],
]
for (const [status, assignedTo, by, deletedBy] of open)
  for (const who of Object.keys(askers) as Who[])
    test(`the ${who} can set exactly the allowed statuses of an order ${status}${assignedTo ? ' and claimed' : ''}`, () => {
      const facts = order(status, assignedTo)
      const expected = by[who] ?? ''
      assert.equal(nextStatuses({ ...facts, undoUntil: soon }, askers[who]).join(' '), expected)
      assert.equal(mayDelete(facts, askers[who]), deletedBy.split(' ').includes(who))
      for (const to of statuses) {
        const isClaim = status === 'pending' && to === 'received'
        if (expected.split(' ').includes(to) && !isClaim) assert.equal(findStep(facts, askers[who], to).to, to)
        else assert.throws(() => findStep(facts, askers[who], to), { code: /^(forbidden|invalid_transition)$/ })
      }
    })

test('a cancellation whose undo window has ended allows no step', () => {
  assert.deepEqual(nextStatuses({ ...order('cancelled', null), undoUntil: null }, askers.owner), [])
  assert.deepEqual(nextStatuses({ ...order('completed', 3), undoUntil: null }, askers.admin), ['cancelled'])
})

test('a step that no state allows the caller is forbidden; a step that only the current state forbids is an invalid transition', () => {
  assert.throws(() => findStep(order('pending', null), askers.stranger, 'cancelled'), { code: 'forbidden' })
  assert.throws(() => findStep(order('completed', 3), askers.owner, 'cancelled'), { code: 'invalid_transition' })
  assert.throws(() => findStep(order('received', 3), askers.receiver, 'preparing'), { code: 'forbidden' })
  assert.throws(() => findStep(order('preparing', 3), askers.owner, 'preparing'), { code: 'forbidden' })
  assert.throws(() => findStep(order('cancelled', 3), askers.owner, 'pending'), { code: 'invalid_transition' })
})

test('a step that undoes a cancellation names the restored status', () => {
  assert.equal(findStep(order('cancelled', 3), askers.owner, 'received').undoes, 'assigned')
  assert.equal(findStep(order('cancelled', null), askers.owner, 'pending').undoes, 'unassigned')
})

test('undoing a cancellation leads to pending if the receiver may no longer work on orders', () => {
  const abandoned = { ...order('cancelled', 3), isAbandoned: true, undoUntil: soon }
  assert.deepEqual(nextStatuses(abandoned, askers.owner), ['pending'])
  assert.equal(findStep(abandoned, askers.owner, 'pending').to, 'pending')
  assert.throws(() => findStep(abandoned, askers.owner, 'received'), { code: 'invalid_transition' })
})

const verdictOf = (check: () => unknown) => {
  try {
    check()
    return 'ok'
  } catch (refusal) {
    return (refusal as { code: string }).code
  }
}

test('a receiver, lead or administrator releases an order in work, and a lead or administrator assigns it', () => {
  const all = [order('pending', null), order('received', 3), order('preparing', 3), order('completed', 3), order('cancelled', 3)]
  const verdicts = (check: typeof checkRelease, who: Who) => all.map((one) => verdictOf(() => check(one, askers[who]))).join(' ')
  const notNow = 'invalid_transition'
  assert.equal(verdicts(checkRelease, 'assignee'), `forbidden ok ok ${notNow} ${notNow}`)
  for (const who of ['admin', 'lead'] as const) {
    assert.equal(verdicts(checkRelease, who), `${notNow} ok ok ${notNow} ${notNow}`)
    assert.equal(verdicts(checkAssignment, who), `ok ok ok ${notNow} ${notNow}`)
  }
  for (const who of ['owner', 'receiver', 'stranger', 'former'] as const)
    assert.equal(verdicts(checkRelease, who), 'forbidden '.repeat(5).trim(), who)
})

test('an order is visible to its requester, receivers, leads and administrators', () => {
  const readers = (Object.keys(askers) as Who[]).filter((who) => mayRead(order('completed', 3), askers[who]))
  assert.deepEqual(readers, ['owner', 'admin', 'assignee', 'receiver', 'lead'])
})

test('an assignee is notified of other people’s moves of the order', () => {
  const noticesOf = (from: OrderFacts['status'], to: OrderFacts['status'], was: number | null, now: number | null, author: number | null) =>
    textsForWorkers({ from, to, userId: 1, wasAssignedTo: was, assignedTo: now }, author).map(
      ({ recipients, template }) => `${recipients} ${template}`,
    )
  assert.deepEqual(noticesOf('received', 'cancelled', 3, 3, 1), ['3 order_withdrawn'])
  assert.deepEqual(noticesOf('received', 'cancelled', 3, 3, 3), [])
  assert.deepEqual(noticesOf('received', 'cancelled', 1, 1, 2), [])
  assert.deepEqual(noticesOf('completed', 'cancelled', 3, 3, 2), [])
  assert.deepEqual(noticesOf('pending', 'cancelled', null, null, 1), [])
  assert.deepEqual(noticesOf('cancelled', 'received', 3, 3, 1), ['3 order_resumed'])
  assert.deepEqual(noticesOf('cancelled', 'pending', 3, null, 1), [])
  assert.deepEqual(noticesOf('pending', 'received', null, 3, 3), [])
  assert.deepEqual(noticesOf('pending', 'received', null, 3, 2), ['3 order_assigned'])
  assert.deepEqual(noticesOf('preparing', 'received', 3, 4, 2), ['3 order_taken', '4 order_assigned'])
  assert.deepEqual(noticesOf('received', 'pending', 3, null, null), ['3 order_taken'])
  assert.deepEqual(noticesOf('received', 'completed', 3, 3, 2), [])
})

test('a late claim is refused with the fitting reason', () => {
  const messageOf = (status: OrderFacts['status'], assignedTo: number | null) => lostClaim(order(status, assignedTo), 3).messageEn
  assert.equal(messageOf('received', 3), 'You have claimed this order already.')
  assert.equal(messageOf('preparing', 4), 'Someone else has claimed this order.')
  assert.equal(messageOf('cancelled', 3), 'This order was cancelled.')
  assert.equal(messageOf('completed', 4), 'This order is complete already.')
  assert.deepEqual(Object.keys(lostClaim(order('cancelled', null), 3)), ['status', 'assignedTo', 'messageEn', 'messageAr'])
})

test('the event for receivers says how a move looks to them', () => {
  const moves = statuses.map((to) =>
    [orderChangeOf('pending', to), orderChangeOf('received', to), orderChangeOf('cancelled', to)].join(' '),
  )
  assert.deepEqual(moves, [
    'claimed changed restored',
    'claimed changed restored',
    'claimed changed restored',
    'claimed changed restored',
    'cancelled cancelled restored',
  ])
})

test('requesters are notified of each move with its own text', () => {
  assert.deepEqual(
    statuses.map((to) => textOf('received', to)),
    ['order_returned', 'order_claimed', 'order_preparing', 'order_completed', 'order_cancelled'],
  )
  assert.equal(textOf('cancelled', 'pending'), 'order_restored')
})

test('the texts name the service and, if there is one, the person in each language', () => {
  const person = { username: 'huda', displayNameAr: 'هدى', displayNameEn: 'Huda' }
  const service = { nameAr: 'قهوة', nameEn: 'Coffee' }
  assert.deepEqual(paramsFor(service, person), { ar: { service: 'قهوة', person: 'هدى' }, en: { service: 'Coffee', person: 'Huda' } })
  assert.deepEqual(paramsFor(service, null), { ar: { service: 'قهوة', person: '' }, en: { service: 'Coffee', person: '' } })
})
