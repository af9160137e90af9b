/** The session: the person who is signed in, and their rights. */
import { computed, effect, signal } from '@preact/signals'
import { clearCache, invalidate, keepFor, resource, restore, setCached } from './cache.ts'
import { answer, api, onSignedOut, type Schemas } from './client.ts'
import { OWNER, readCopy } from './copy.ts'
import { setting } from './device.ts'
import { language } from './language.ts'
import { Refusal } from './refusal.ts'

export type Me = Schemas['AuthUser']
export type EndReason = Schemas['SessionEndedMessage']['data']['reason']

/** `unknown` until the portal or the device has answered, and while the page is being left. */
export const state = signal<'unknown' | 'in' | 'out'>('unknown')
/** Why the session ended; undefined if the person signed out in this tab. `unreached`: a sign-out has not reached the portal yet. */
export const endedBy = signal<EndReason | 'unreached' | undefined>(undefined)

export const isSignedIn = computed(() => state.value === 'in')
export const isSignedOut = computed(() => state.value === 'out')

const mine = resource('/auth/me')
/** The permissions of the person who is signed in. */
export const rights = resource('/auth/me/permissions')
/** The person who is signed in; read it only on pages that need a session. */
export const me = computed(() => mine.data)
export const isAdmin = computed(() => !!me.value?.roles.includes('admin'))
/** Whether the person may claim orders; undefined while that is not known. */
export const isReceiver = computed(() => rights.data?.permissions.includes('orders.receive'))
/** The teams whose orders the person receives, and those that they lead. */
export const myTeams = resource('/service-teams')
/** Whether the person leads a team. */
export const isLead = computed(() => !!myTeams.data?.some(({ leadUserIds }) => leadUserIds.includes(me.value?.id ?? 0)))
/** The first page of the orders whose open approval step has the person as an approver, including those that they have approved. */
export const toApprove = resource('/orders/details', { query: { view: 'approve', limit: 20 } })
/** Whether any order waits for the person’s approval, or for other approvers after the person has approved it. */
export const isAsked = computed(() => !!toApprove.data?.totalCount)
/** Whether the person sees the executive’s meetings. */
export const isExecutive = computed(() => !!me.value?.roles.some((role) => role === 'admin' || role.startsWith('executive_')))

const isAnswered = signal(false)
let choosing = 0
const follow = (said: string | undefined) => {
  if (said === 'ar' || said === 'en') language.value = said
}
/** Functions that stop everything that runs while somebody is signed in. */
const ends: (() => void)[] = []
/** The id of the person whose data this page shows. */
export let whose: number | undefined

/** The name of the setting with the id of a person who is signing out, until the portal has ended the session. */
export const LEAVING = 'leaving'
/** The name under which the tab stores, until somebody signs in, why its session ended and whose it was. */
export const ENDED = 'ended'

/** `lost`: the portal no longer knows the session. `replaced by another`: somebody else has signed in in this browser. */
export type Ending = EndReason | 'lost' | 'replaced by another'

type Act = (isSignOut: boolean) => Promise<unknown>
/** Calls that a sign-out makes while the session is still valid. */
export const beforeSignOut = new Set<Act>()
/** Work to finish before the page is unloaded. */
export const beforeLeaving = new Set<Act>()

/** Leaves the page when its session ends. Until `leaving.ts` is loaded, the page just reloads. */
let leaver: (ending: Ending) => unknown = () => location.reload()
export const onEnd = (leave: typeof leaver) => {
  leaver = leave
}

/** Sets the state and stops everything that runs for the person. */
export function stop(now: 'unknown' | 'out') {
  state.value = now
  for (const end of ends.splice(0)) end()
}

const listening = () => import('./listening.ts')
const AGAIN_MS = 2000

/** Listens to events; tries again if that part of the page could not be loaded. */
async function listenUntil(ended: AbortSignal) {
  while (!ended.aborted) {
    const loaded = await listening().catch(() => undefined)
    if (!loaded) await new Promise((resolve) => setTimeout(resolve, AGAIN_MS))
    else if (!ended.aborted) return loaded.listen(ended, (reason) => leaver(reason))
  }
}

function begin() {
  whose = mine.peek()!.id
  keepFor(whose)
  if (state.peek() === 'in') return
  state.value = 'in'
  endedBy.value = undefined
  const following = effect(() => {
    // Ignores the device's copy, and answers during a choice of language: both may be older than the choice.
    const said = mine.data
    if (said && said.id !== whose) leaver('replaced by another')
    else if (isAnswered.value && !choosing) follow(said?.preferredLanguage)
  })
  const ended = new AbortController()
  ends.push(following, () => ended.abort())
  listenUntil(ended.signal)
}

/** Puts the page into the state in which nobody is signed in, and empties the cache. */
export async function beOut(reason?: typeof endedBy.value) {
  stop('out')
  endedBy.value = reason
  await clearCache()
  // `clearCache` has dropped the public data as well.
  invalidate('/settings')
}

declare global {
  interface Window {
    /** The question who is signed in, which the page asked before its scripts arrived, and the owner of the device's copy at that time. */
    early?: { owner: string | null; answer: Promise<Response> } | undefined
  }
}

/**
 * Finds out who is signed in. Only the portal knows, so the device's copy is not shown before its answer. If it does not answer, the page
 * shows the copy of the last person, unless they have signed out.
 */
export async function startSession(leaving: () => Promise<{ sendSignOut(): Promise<unknown> }>) {
  if (setting.read(LEAVING)) {
    window.early = undefined
    const isSignedOut = await leaving()
      .then((one) => one.sendSignOut())
      .catch(() => false)
    if (!isSignedOut) return beOut('unreached')
  }
  onSignedOut(() => state.peek() === 'in' && leaver('lost'))
  listening().catch(() => {})
  // The early answer is not used if somebody has signed out or in since, perhaps in another tab.
  const { early } = window
  const before = early?.owner === setting.read(OWNER) && early.answer
  const asked = answer(api.GET('/auth/me', before ? { fetch: () => before } : {})).catch((failure: Error) => failure)
  const copy = await readCopy()
  const said = await asked
  isAnswered.value = true
  if (!(said instanceof Error)) {
    if (copy?.owner === String(said.id)) restore(copy)
    setCached('/auth/me', said)
  } else if (copy && !(said instanceof Refusal && said.status < 500)) restore(copy)
  if (mine.peek()) begin()
  else await beOut()
}

/** Begins the session that a call has just opened. */
export async function beginAs(person: Me) {
  await clearCache()
  whose = person.id
  setCached('/auth/me', person)
  isAnswered.value = true
  begin()
}

/** Switches the language in place, and saves it for a signed-in person. */
export async function chooseLanguage(wanted: 'ar' | 'en') {
  language.value = wanted
  setting.write('language', wanted)
  if (state.peek() !== 'in') return
  mine.change((person) => ({ ...person, preferredLanguage: wanted }))
  choosing++
  // `keepalive` sends the call even if the page is closed at once.
  await answer(api.PATCH('/auth/me/language', { body: { language: wanted }, keepalive: true })).catch(() => {})
  choosing--
}
