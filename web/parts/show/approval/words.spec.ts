import '../../../testing/document.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { language } from '../../../platform/language.ts'
import { heldState, waitingInWords } from './words.ts'
import { both } from './words-texts.ts'

const person = (id: number, displayNameEn: string) => ({ id, username: `p${id}`, displayNameAr: null, displayNameEn, avatarUrl: null })
const approval = { state: 'waiting', lapseReason: null, step: 'manager', steps: [], waitsFor: [], lapsesAt: null } as const

test('an order shows that it waits, was denied or lapsed; once it is approved or cancelled, only its status shows', () => {
  language.value = 'en'
  const textOf = (status: string, state: 'waiting' | 'approved' | 'denied' | 'lapsed') =>
    heldState({ status }, { ...approval, steps: [], waitsFor: [], state })?.text
  const { states } = both.en
  assert.deepEqual(
    [textOf('pending', 'waiting'), textOf('cancelled', 'denied'), textOf('cancelled', 'lapsed')],
    [states.waiting, states.denied, states.lapsed],
  )
  assert.deepEqual(
    [textOf('cancelled', 'waiting'), textOf('received', 'approved'), heldState({ status: 'pending' }, null)],
    Array(3).fill(undefined),
  )
})

test('an order that waits names its first three approvers, or the administrators if it has no approvers', () => {
  language.value = 'en'
  const waiting = (...names: string[]) =>
    waitingInWords({ ...approval, steps: [], waitsFor: names.map((name, n) => person(n + 1, name)) }).replace(/[\u2068\u2069]/g, '')
  assert.equal(waiting(), both.en.waitsForAdmins)
  assert.equal(waiting('Huda', 'Sami'), 'Waiting for Huda and Sami')
  assert.equal(waiting('Huda', 'Sami', 'Noura', 'Omar', 'Dana'), 'Waiting for Huda, Sami, Noura and 2 more')
})
