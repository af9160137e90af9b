/** Signing out: the page is loaded again, and the device keeps nothing of the person that they would not want kept. */
import { effect } from '@preact/signals'
import { clearCache, resource } from './cache.ts'
import { answer, api, isReached } from './client.ts'
import { OWNER } from './copy.ts'
import { kept, ours, setting } from './device.ts'
import { Refusal } from './refusal.ts'
import { at, path } from './router.ts'
import { beforeLeaving, beforeSignOut, beOut, ENDED, type Ending, endedBy, LEAVING, onEnd, state, stop, whose } from './session.ts'

const WAITS_MS = 2000
/** Work that never settles must not prevent leaving. */
const within = <T>(work: Promise<T>) =>
  Promise.race([work.catch(() => undefined), new Promise<undefined>((resolve) => setTimeout(resolve, WAITS_MS))])

const runAll = (acts: typeof beforeLeaving, isSignOut: boolean) => within(Promise.allSettled(Array.from(acts, (act) => act(isSignOut))))

let isPublic: (address: string) => boolean = () => false
/** Loads the page again when its session ends; `isOpen` says which addresses need no session. */
export function startLeaving(isOpen: typeof isPublic) {
  isPublic = isOpen
  onEnd(end)
}

const mine = resource('/auth/me')

/** For this tab, until somebody signs in. */
function remember(ended: string | null) {
  try {
    if (ended) sessionStorage.setItem(ours(ENDED), ended)
    else sessionStorage.removeItem(ours(ENDED))
  } catch {}
}

async function dropDrafts(person: string) {
  for (const name of setting.names(`draft:${person}:`)) setting.write(name, null)
  await kept.removeAll(`draft:${person}:`)
}

/** Nobody finds on the device what a person before them typed and did not send. */
async function dropDraftsOfOthers() {
  const mine = `draft:${whose}:`
  for (const name of setting.names('draft:')) if (!name.startsWith(mine)) setting.write(name, null)
  await Promise.all([kept.removeAll('draft:', mine), kept.removeAll(`${mine}\uffff`, 'draft:\uffff')])
}

const goTo = (address: string) => () => location.replace(at(address))
/** Where a sign-out leads: not straight to a provider, where the person may still be signed in. */
const OUT = '/sign-in?local=1'

/** The person whose session ended in this tab, until somebody signs in. */
function formerPerson() {
  try {
    return sessionStorage.getItem(ours(ENDED))?.split(' ')[1]
  } catch {
    return undefined
  }
}

effect(() => {
  if (state.value !== 'in') return
  const former = formerPerson()
  remember(null)
  // The page was loaded again before the browser had the cookie of the next person, at an address of the former one.
  if (former && former !== String(whose) && !isPublic(path.peek())) goTo('/')()
  // A frozen page may have written another person's data meanwhile.
  const mine = `cache ${whose}`
  kept.removeAll('cache', `${mine} `)
  kept.removeAll(`${mine}!`, 'cache!')
  dropDraftsOfOthers()
})

let isGoing = false
/** Loads another page, so that nothing of the person stays on the page or in its memory. */
async function leavePage(isSignOut: boolean, go: () => void, dropsDrafts = isSignOut) {
  isGoing = true
  stop('unknown')
  await runAll(beforeLeaving, isSignOut)
  const cleared = [clearCache(), dropsDrafts ? dropDrafts(String(whose)) : undefined]
  await within(Promise.all(cleared))
  go()
}
let isLosing = false
async function end(ending: Ending): Promise<void> {
  // A sign-out may be announced while it is being checked.
  if (isGoing || (isLosing && ending !== 'logout')) return
  if (ending === 'logout') return leavePage(true, goTo(OUT))
  // The address is the former person's, too.
  if (ending === 'replaced by another') return leavePage(false, goTo('/'))
  if (ending === 'lost' || ending === 'replaced') {
    isLosing = true
    // Another person may have signed in outside this page, which ended the session.
    const now = await answer(api.GET('/auth/me')).catch(() => undefined)
    isLosing = false
    if (isGoing) return
    if (now) return leavePage(false, now.id === whose ? () => location.reload() : goTo('/'))
  }
  const reason = ending === 'lost' ? 'ended' : ending
  remember(`${reason} ${whose}`)
  // A page that needs no session may still have a message, such as that a password was saved.
  if (!isPublic(path.peek())) return leavePage(false, () => location.reload(), ending === 'deactivated' || ending === 'deleted')
  await beOut(reason)
}

/** Signs out, here and on the device, even if the portal cannot be reached; it gets the sign-out as soon as it answers. */
export async function signOut() {
  if (isGoing) return
  await runAll(beforeSignOut, true)
  isGoing = true
  setting.write(LEAVING, String(whose))
  await sendSignOut()
  await leavePage(true, endSessionUrl ? () => location.replace(endSessionUrl!) : goTo(OUT))
}

/** The page of the provider that ends the session there, too; it leads back. */
let endSessionUrl: string | undefined

/** Ends the session on the portal. Returns whether the portal was reached. */
export const sendSignOut = () => within(postSignOut())

async function postSignOut() {
  const person = setting.read(LEAVING)
  if (person) await dropDrafts(person)
  try {
    // Also if the page goes first.
    endSessionUrl = (await answer(api.POST('/auth/logout', { keepalive: true }))).endSessionUrl
  } catch (failure) {
    if (!(failure instanceof Refusal && failure.status === 401)) return false
  }
  setting.write(LEAVING, null)
  return true
}

// The portal was out of reach when somebody signed out.
isReached.subscribe(async (reached) => {
  if (reached && state.peek() === 'out' && setting.read(LEAVING) && (await sendSignOut())) endedBy.value = undefined
})

// Informs a tab without events that another tab has signed out, or somebody else in.
addEventListener('storage', ({ key, newValue }) => {
  const person = String(whose)
  if (state.peek() !== 'in') return
  if (key === ours(LEAVING) && newValue === person) end('logout')
  if (key !== ours(OWNER) || newValue === person) return
  if (newValue) end('replaced by another')
  else mine.refresh()
})

// A page from the browser's back-forward cache: another person may be signed in by now.
addEventListener('pageshow', ({ persisted }) => {
  if (!persisted) return
  const isSame = state.peek() !== 'unknown' && (setting.read(OWNER) ?? '') === (state.peek() === 'in' ? String(whose) : '')
  if (!isSame) leavePage(false, () => location.reload())
  else if (state.peek() === 'in') mine.refresh()
})
