/** The times that a card states for an order placed now. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { timesOf } from './due-now.ts'

const [opensAt, soon, later, last] = ['08:00', '09:00', '10:40', '12:00'].map((time) => `2026-11-29T${time}:00.000Z`)
const told = (...arguments_: Parameters<typeof timesOf>) => timesOf(...arguments_).map(({ kind, at }) => `${kind} ${at.slice(11, 16)}`)

test('the opening time of a closed team is stated together with the moment at which an order is due', () => {
  const closed = { team: 'IT support', opensAt: opensAt! }
  assert.deepEqual(told({ ...closed, receiveBy: soon!, completeBy: later! }), ['opens 08:00', 'by 10:40'])
  assert.deepEqual(told({ ...closed, receiveBy: soon!, completeBy: null }), ['opens 08:00', 'receivedBy 09:00'])
})

test('the opening time of a closed team is stated even for a service without targets', () => {
  assert.deepEqual(told({ team: 'IT support', opensAt: opensAt!, receiveBy: null, completeBy: null }), ['opens 08:00'])
})

test('an opening time is stated only if there is a team, and nothing is stated for a service without a team and targets', () => {
  assert.deepEqual(told({ team: '', opensAt: opensAt!, receiveBy: null, completeBy: later! }), ['by 10:40'])
  assert.deepEqual(told({ team: '', opensAt: opensAt! }), [])
})

test('an order that is wanted later than its target is due when it is wanted', () => {
  const open = { team: '', opensAt: null, receiveBy: soon!, completeBy: later! }
  assert.deepEqual(
    [told(open, last), told(open, soon), told({ ...open, completeBy: null }, last)],
    [['by 12:00'], ['by 10:40'], ['by 12:00']],
  )
})
