/** Who is signed in. */
import { computed, effect, signal } from '@preact/signals'
import { clearCache, invalidate, keepFor, OWNER, readCopy, resource, restore, tell } from './cache.ts'
import { answer, api, onSignedOut, type Schemas } from './client.ts'
import { setting } from './device.ts'
import { eventsToCache } from './events-to-cache.ts'
import { language } from './language.ts'
import { type EventName, hear, startLive } from './live.ts'
import { Refusal } from './refusal.ts'

export type Me = Schemas['AuthUser']
export type EndReason = Schemas['SessionEndedMessage']['data']['reason']

/** `unknown` until the portal or the device has said. */
const state = signal<'unknown' | 'in' | 'out'>('unknown')
/** Why the session ended while the page was open, other than by this person here and now. */
export const endedBy = signal<EndReason | undefined>(undefined)

export const isSignedIn = computed(() => state.value === 'in')
export const isSignedOut = computed(() => state.value === 'out')

const mine = resource('/auth/me')
const rights = resource('/auth/me/permissions')
/** Whoever is signed in; read it only in rooms that ask for a session. */
export const me = computed(() => mine.data)
export const isAdmin = computed(() => !!me.value?.roles.includes('admin'))
/** Whether they may claim orders. */
export const isReceiver = computed(() => !!rights.data?.permissions.includes('orders.receive'))
/** Whether they see the executive’s meetings. */
export const isExecutive = computed(() => !!me.value?.roles.some((role) => role === 'admin' || role.startsWith('executive_')))

let stopLive: (() => void) | undefined
let stopFollowing: (() => void) | undefined
const isAnswered = signal(false)
let choosing = 0
const follow = (said: string | undefined) => {
  if (said === 'ar' || said === 'en') language.value = said
}
const listeners: (() => void)[] = []
/** The id of whoever this page is about. */
let whose: number | undefined

/** The session has become another's past this page: not a moment more of what is on it. */
async function beginAnew() {
  state.value = 'unknown'
  await clearCache({ withDrafts: false })
  location.reload()
}

function begin() {
  whose = mine.peek()!.id
  keepFor(whose)
  if (state.peek() === 'in') return
  state.value = 'in'
  endedBy.value = undefined
  stopFollowing = effect(() => {
    // What the device kept, or the portal says meanwhile, may be older than the choice made here.
    const said = mine.data
    if (said && said.id !== whose) beginAnew()
    else if (isAnswered.value && !choosing) follow(said?.preferredLanguage)
  })
  const events = Object.keys(eventsToCache) as EventName[]
  for (const event of events) listeners.push(hear(event, (data) => (eventsToCache[event] as (data: unknown) => unknown)(data)))
  listeners.push(hear('session_ended', ({ reason }) => end(reason)))
  // What was read before the stream opened may have changed meanwhile.
  stopLive = startLive(events, () => answer(api.GET('/auth/me')), invalidate)
}

async function end(reason?: EndReason) {
  if (state.peek() === 'out') return
  state.value = 'out'
  endedBy.value = reason === 'logout' ? undefined : reason
  stopLive?.()
  stopFollowing?.()
  isAnswered.value = false
  for (const leave of listeners.splice(0)) leave()
  await clearCache({ withDrafts: reason === 'logout' })
  // What anyone may read was forgotten with the rest.
  invalidate('/settings')
}

let isLosing = false
/** The portal knows the session no more: whoever signed in past this page has ended it, and is there instead. */
async function lose() {
  if (isLosing) return
  isLosing = true
  const isTaken = state.peek() === 'in' && (await answer(api.GET('/auth/me')).catch(() => false))
  isLosing = false
  if (isTaken) await beginAnew()
  else await end(state.peek() === 'in' ? 'ended' : undefined)
}

/**
 * Finds out who is signed in. Only the portal knows, and what the device keeps waits for it; a portal that does not answer leaves this
 * page to whoever was here last.
 */
export async function startSession() {
  onSignedOut(lose)
  const asked = answer(api.GET('/auth/me')).catch((failure: Error) => failure)
  const copy = await readCopy()
  const said = await asked
  isAnswered.value = true
  if (!(said instanceof Error)) {
    if (copy?.owner === String(said.id)) restore(copy)
    else await clearCache({ withDrafts: false })
    tell('/auth/me', said)
  } else if (copy && !(said instanceof Refusal && said.status < 500)) restore(copy)
  if (mine.peek()) begin()
  else if (state.peek() === 'unknown') state.value = 'out'
}

// A tab that hears no events learns by this that another has signed out, or somebody else in.
addEventListener('storage', ({ key, newValue }) => {
  if (key !== OWNER || state.peek() !== 'in' || newValue === String(mine.peek()?.id)) return
  if (newValue) location.reload()
  else mine.refresh()
})

/** Signs in; a refusal is thrown. */
export async function signIn(username: string, password: string) {
  const person = await answer(api.POST('/auth/login', { body: { username, password } }))
  await enterAs(person)
}

/** Begins the session that a call has just opened. */
export async function enterAs(person: Me) {
  await clearCache({ withDrafts: false })
  whose = person.id
  tell('/auth/me', person)
  isAnswered.value = true
  begin()
}

/** What is done while the session is still there; a failure of it keeps nobody from leaving. */
export const beforeSignOut = new Set<() => Promise<unknown>>()

/** Signs out, here and on the device. */
export async function signOut() {
  await Promise.allSettled(Array.from(beforeSignOut, (act) => act()))
  await api.POST('/auth/logout').catch((failure) => {
    if (!(failure instanceof Refusal)) throw failure
  })
  await end('logout')
}

/** Switches the language in place; a person who is signed in has it everywhere from then on. */
export async function chooseLanguage(wanted: 'ar' | 'en') {
  language.value = wanted
  setting.write('language', wanted)
  if (state.peek() !== 'in') return
  mine.change((person) => ({ ...person, preferredLanguage: wanted }))
  choosing++
  // Also if the page is left at once.
  await answer(api.PATCH('/auth/me/language', { body: { language: wanted }, keepalive: true })).catch(() => {})
  choosing--
}
