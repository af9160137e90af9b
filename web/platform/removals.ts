/**
 * Deletions that can still be undone, stored on this device. They are sent to the portal after 15 seconds, when their page closes, before
 * a sign-out, or by another page if their own was killed or had no connection.
 */
import { computed, effect, signal } from '@preact/signals'
import { changeAll, invalidate } from './cache.ts'
import { answer, api, isReached } from './client.ts'
import { ours, setting } from './device.ts'
import { Refusal } from './refusal.ts'
import { beforeSignOut, isSignedIn, me } from './session.ts'

export type Removable =
  | '/notes/{id}'
  | '/notes/folders/{id}'
  | '/notes/labels/{id}'
  | '/executive-meetings/{id}'
  | '/executive-meetings/tasks/{id}'
  | '/auth/me/groups/{groupId}'
type Removal = [path: Removable, id: number, until: number]

const UNDO_MS = 15_000
const AGAIN_MS = 10_000
/** A call that is not answered within this time counts as lost. */
const LIMIT_MS = 30_000

const name = computed(() => (isSignedIn.value ? `removals:${me.value!.id}` : ''))
const nameOf = ([path, id]: [Removable, number, ...unknown[]]) => `${path} ${id}`

function read(): Removal[] {
  try {
    return JSON.parse((name.peek() && setting.read(name.peek())) || '[]')
  } catch {
    return []
  }
}
const write = (all: Removal[]) => {
  setting.write(name.peek(), all.length ? JSON.stringify(all) : null)
  follow()
}

/** The names (`nameOf`) of the records that the portal has deleted. */
const gone = signal<ReadonlySet<string>>(new Set())
const waiting = signal<readonly Removal[]>([])
/** Whether a record is deleted, or will be unless the deletion is undone. */
export const isLeaving = (path: Removable, id: number) =>
  gone.value.has(nameOf([path, id])) || waiting.value.some((one) => nameOf(one) === nameOf([path, id]))

/** The refusals that came before there was a listener: a page that opens sends overdue deletions at once. */
const untold: unknown[] = []
let tell: (refusal: unknown) => void = (refusal) => untold.push(refusal)
/** Sets the function that is called with the refusal of a deletion that is not sent again: the record is back. */
export const onRefused = (listener: typeof tell) => {
  tell = listener
  untold.splice(0).forEach(tell)
}

const without = (removal: Parameters<typeof nameOf>[0]) => read().filter((one) => nameOf(one) !== nameOf(removal))

/**
 * The earliest time at which a deletion is sent again, in ms since 1970, by the name of the deletion. Has only deletions that are under way
 * or were sent in vain.
 */
const notBefore = new Map<string, number>()

async function send(removal: Removal) {
  const [path, id] = removal
  const its = nameOf(removal)
  notBefore.set(its, Date.now() + LIMIT_MS)
  const sent = api.DELETE(path, { params: { path: { id, groupId: id } }, keepalive: true })
  const failure = await answer(sent).then(
    () => undefined,
    (failed) => failed,
  )
  const isDone = !failure || (failure instanceof Refusal && failure.status === 404)
  // Without an answer or a session, or while the portal is busy or broken, the deletion is sent later.
  const isFinal = failure instanceof Refusal && failure.status < 500 && ![401, 429].includes(failure.status)
  if (failure && !isFinal) {
    notBefore.set(its, Date.now() + AGAIN_MS)
    if (isSignedIn.peek()) follow()
    return
  }
  notBefore.delete(its)
  // A membership can be granted again, so it must not count as gone for good.
  if (isDone && path === '/auth/me/groups/{groupId}')
    changeAll('/auth/me/grants', (all) => all.filter((one) => one.kind !== 'group' || one.id !== id))
  else if (isDone) gone.value = new Set(gone.peek()).add(its)
  else tell(failure)
  write(without(removal))
  invalidate('/notes', '/notes/sent', '/notes/folders', '/notes/labels', '/auth/me/grants')
}

const timers = new Map<string, ReturnType<typeof setTimeout>>()
/** Loads the deletions on the device, and sends each when its time is over and the portal can be reached. */
function follow() {
  waiting.value = read()
  for (const timer of timers.values()) clearTimeout(timer)
  timers.clear()
  for (const one of waiting.peek()) {
    const left = Math.max(one[2], notBefore.get(nameOf(one)) ?? 0) - Date.now()
    timers.set(
      nameOf(one),
      setTimeout(() => isReached.peek() && send(one), Math.max(0, left)),
    )
  }
}

/** The names of the deletions that began on this page. Only these are sent when it closes: other pages may still undo their own. */
const here = new Set<string>()

/** Deletes a record in 15 seconds, or at `until`, in ms since 1970. Returns a function that undoes it. */
export function removeSoon(path: Removable, id: number, until = Date.now() + UNDO_MS) {
  here.add(nameOf([path, id]))
  write([...without([path, id]), [path, id, until]])
  return () => write(without([path, id]))
}

const sendAll = () => Promise.all(read().map(send))
const sendOwn = () =>
  read()
    .filter((one) => here.has(nameOf(one)))
    .forEach(send)

effect(() => {
  if (isReached.value) notBefore.clear()
  if (name.value) follow()
})
addEventListener('storage', ({ key }) => {
  if (name.peek() && key === ours(name.peek())) follow()
})
addEventListener('pagehide', sendOwn)
beforeSignOut.add(sendAll)
