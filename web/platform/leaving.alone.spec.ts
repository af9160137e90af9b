import '../testing/outside.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seen } from '../testing/outside.ts'
import { resource } from './cache.ts'
import type { Me } from './session.ts'

localStorage.setItem('draft:7:note:new', '{"cut o')
localStorage.setItem('draft:7:reply:1:', '"mine"')
localStorage.setItem('draft:8:note:new', '"another’s"')
const { draft } = await import('./drafts.ts')
const { beginAs, beforeLeaving, isSignedIn } = await import('./session.ts')
const { removeSoon } = await import('./removals.ts')
const { signOut, startLeaving } = await import('./leaving.ts')

const nora: Me = {
  ...{ id: 7, username: 'nora', email: 'nora@example.org', displayNameAr: null, displayNameEn: 'Nora', avatarUrl: null, isActive: true },
  ...{ preferredLanguage: 'en', clockStyle: null, clockHour12: null, roles: [], groups: [], createdAt: '2030-01-01T00:00:00.000Z' },
  ...{ notificationSoundOrder: 'bell', notificationSoundMeeting: 'bell', notificationSoundNote: 'bell', notificationsMuted: false },
  ...{ notifyOrdersEnabled: true, notifyMeetingsEnabled: true, notifyNotesEnabled: true },
  ...{ vibrationEnabledOrder: true, vibrationEnabledMeeting: true, vibrationEnabledNote: true },
}

test('a damaged draft does not prevent writing another', async () => {
  const { value } = draft('note:new', 'empty')
  while (value.peek() === undefined) await new Promise(setImmediate)
  assert.equal(value.peek(), 'empty')
})

test('a draft that is reopened before the device has stored it has the typed text', async () => {
  const first = draft('note:9', '')
  first.value.value = 'typed'
  assert.equal(draft('note:9', '').value.peek(), 'typed')
  await first.drop()
})

test('a tab at a public address drops the drafts of a person whose account is deactivated', async () => {
  const streams: EventTarget[] = []
  const usual = globalThis.EventSource
  globalThis.EventSource = class extends usual {
    constructor(address: string | URL) {
      super(address)
      streams.push(this)
    }
  }
  startLeaving(() => true)
  await beginAs(nora)
  localStorage.setItem('draft:7:order:3', '"mine"')
  while (!streams[0]) await new Promise((resolve) => setTimeout(resolve))
  streams[0].dispatchEvent(new MessageEvent('session_ended', { data: '{"reason":"deactivated"}' }))
  while (isSignedIn.peek()) await new Promise(setImmediate)
  globalThis.EventSource = usual
  assert.deepEqual([localStorage.getItem('draft:7:order:3'), seen], [null, []])
})

test('a sign-out sends pending deletions, drops the drafts, ends the session, and does not wait for work that never settles', async (t) => {
  startLeaving(() => false)
  localStorage.setItem('draft:8:note:3', '"another’s"')
  await beginAs(nora)
  assert.equal(localStorage.getItem('draft:8:note:3'), null)
  removeSoon('/notes/{id}', 5)
  const typed = draft('note:new', '')
  typed.value.value = 'left in the middle'
  localStorage.setItem('draft:7:order:3', '"mine"')
  localStorage.setItem('draft:8:note:new', '"another’s"')
  beforeLeaving.add(() => new Promise(() => {}))
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const left = signOut()
  while (isSignedIn.peek()) await new Promise(setImmediate)
  assert.deepEqual(seen, ['DELETE /notes/5', 'POST /auth/logout'])
  t.mock.timers.tick(2000)
  while (!seen.includes('to /sign-in?local=1')) await new Promise(setImmediate)
  await left
  dispatchEvent(new Event('pagehide'))
  const kept = Object.keys(localStorage).filter((name) => /draft|removals|leaving/.test(name))
  assert.deepEqual([kept, resource('/auth/me').peek()], [['draft:8:note:new'], undefined])
})
