/** Tests which readers are told that an order has already been decided. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isLate } from './late.ts'

type Details = Parameters<typeof isLate>[0]
const approvalOf = (state: NonNullable<Details['approval']>['state']) =>
  ({ state, lapseReason: null, step: null, steps: [], waitsFor: [], lapsesAt: null }) satisfies Details['approval']
const stranger = { wasMine: false, isParty: false }

test('an approver who comes after the decision is told of it, and so is one whose decision was overtaken', () => {
  const opened = (['denied', 'lapsed', 'approved', 'waiting'] as const).map((state) =>
    isLate({ may: ['message'], approval: approvalOf(state) }, stranger),
  )
  assert.deepEqual(opened, [true, true, true, true])
  assert.equal(isLate({ may: ['message', 'note'], approval: approvalOf('approved') }, { ...stranger, wasMine: true }), true)
})

test('a person who can still decide, a party to the order, or a member of the team that does the work is not told', () => {
  const told = [
    isLate({ may: ['approve', 'deny'], approval: approvalOf('waiting') }, { ...stranger, wasMine: true }),
    isLate({ may: ['cancel'], approval: approvalOf('denied') }, { ...stranger, isParty: true }),
    isLate({ may: ['message', 'note', 'assign'], approval: approvalOf('approved') }, stranger),
    isLate({ may: [], approval: null }, stranger),
  ]
  assert.deepEqual(told, [false, false, false, false])
})
