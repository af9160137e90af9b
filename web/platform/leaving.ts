/** The end of a session: the page is loaded again, and the device drops the person's cache, and at a sign-out their drafts. */
import { effect } from '@preact/signals'
import { clearCache, resource } from './cache.ts'
import { answer, api, isReached } from './client.ts'
import { OWNER } from './copy.ts'
import { kept, ours, setting } from './device.ts'
import { Refusal } from './refusal.ts'
import { at, path } from './router.ts'
import { beforeLeaving, beforeSignOut, beOut, ENDED, type Ending, endedBy, LEAVING, onEnd, state, stop, whose } from './session.ts'

const WAITS_MS = 2000
/** Waits for work, but not for long: work that never settles must not prevent leaving. */
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

/** Stores why the session ended and whose it was, for this tab. */
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

/** Deletes the drafts of all other people, so that nobody finds unsent text of a person who used the device before them. */
async function dropDraftsOfOthers() {
  const mine = `draft:${whose}:`
  for (const name of setting.names('draft:')) if (!name.startsWith(mine)) setting.write(name, null)
  await Promise.all([kept.removeAll('draft:', mine), kept.removeAll(`${mine}\uffff`, 'draft:\uffff')])
}

const goTo = (address: string) => () => location.replace(at(address))
/** Where a sign-out leads: not straight to a provider, where the person may still be signed in. */
const OUT = '/sign-in?local=1'

/** The id of the person whose session ended in this tab; undefined once somebody has signed in. */
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
  // The page was loaded again before the next person had signed in, so it is at an address of the former person.
  if (former && former !== String(whose) && !isPublic(path.peek())) goTo('/')()
  // Deletes the cached data of all other people: a frozen page of another person may have written some since.
  const mine = `cache ${whose}`
  kept.removeAll('cache', `${mine} `)
  kept.removeAll(`${mine}!`, 'cache!')
  dropDraftsOfOthers()
})

let isGoing = false
/** Calls `go`, which must load a page anew, so that nothing of the person stays on the page or in its memory. */
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
  // Further events may arrive while this function checks a lost session. Only a sign-out is still handled then.
  if (isGoing || (isLosing && ending !== 'logout')) return
  if (ending === 'logout') return leavePage(true, goTo(OUT))
  // The address is the former person's as well, so the page goes to the start.
  if (ending === 'replaced by another') return leavePage(false, goTo('/'))
  if (ending === 'lost' || ending === 'replaced') {
    isLosing = true
    // Somebody may have signed in elsewhere in this browser, which ended the session.
    const now = await answer(api.GET('/auth/me')).catch(() => undefined)
    isLosing = false
    if (isGoing) return
    if (now) return leavePage(false, now.id === whose ? () => location.reload() : goTo('/'))
  }
  const reason = ending === 'lost' ? 'ended' : ending
  remember(`${reason} ${whose}`)
  const hasNoMoreAccount = ending === 'deactivated' || ending === 'deleted'
  // A page that needs no session is not reloaded: it may show a message, such as that a password was saved.
  if (!isPublic(path.peek())) return leavePage(false, () => location.reload(), hasNoMoreAccount)
  await Promise.all([beOut(reason), hasNoMoreAccount && dropDrafts(String(whose))])
}

/** Signs out on this device, even if the portal cannot be reached. The portal is told as soon as it answers again. */
export async function signOut() {
  if (isGoing) return
  await runAll(beforeSignOut, true)
  isGoing = true
  setting.write(LEAVING, String(whose))
  await sendSignOut()
  await leavePage(true, endSessionUrl ? () => location.replace(endSessionUrl!) : goTo(OUT))
}

/** The address at the provider that ends the session there as well, and leads back. */
let endSessionUrl: string | undefined

/** Ends the session on the portal. Resolves to true if it has ended; false or undefined means that this must be tried again. */
export const sendSignOut = () => within(postSignOut())

async function postSignOut() {
  const person = setting.read(LEAVING)
  if (person) await dropDrafts(person)
  try {
    // `keepalive` sends the call even if the page is closed first.
    endSessionUrl = (await answer(api.POST('/auth/logout', { keepalive: true }))).endSessionUrl
  } catch (failure) {
    if (!(failure instanceof Refusal && failure.status === 401)) return false
  }
  setting.write(LEAVING, null)
  return true
}

// Sends a sign-out that happened while the portal was out of reach.
isReached.subscribe(async (reached) => {
  if (reached && state.peek() === 'out' && setting.read(LEAVING) && (await sendSignOut())) endedBy.value = undefined
})

// Another tab has signed somebody out or in. This tab learns it even without events.
addEventListener('storage', ({ key, newValue }) => {
  const person = String(whose)
  if (state.peek() !== 'in') return
  if (key === ours(LEAVING) && newValue === person) end('logout')
  if (key !== ours(OWNER) || newValue === person) return
  if (newValue) end('replaced by another')
  else mine.refresh()
})

// The page comes from the browser's back-forward cache: somebody else may be signed in by now.
addEventListener('pageshow', ({ persisted }) => {
  if (!persisted) return
  const isSame = state.peek() !== 'unknown' && (setting.read(OWNER) ?? '') === (state.peek() === 'in' ? String(whose) : '')
  if (!isSame) leavePage(false, () => location.reload())
  else if (state.peek() === 'in') mine.refresh()
})
