/** What was typed and not yet sent: kept on this device for its person until it is, or until they sign out. */
import { type Signal, signal } from '@preact/signals'
import { kept, setting } from './device.ts'
import { beforeLeaving, me } from './session.ts'

const WRITE_AFTER_MS = 300

/** What is typed but not yet written, by its key. */
const waiting = new Map<string, unknown>()
let isOver = false
// What is left with the page is too late for the database: the next page moves it there.
addEventListener('pagehide', () => {
  for (const [key, typed] of waiting) setting.write(key, JSON.stringify(typed))
})
// A sign-out removes them; after a session that ended otherwise they are found again.
beforeLeaving.add(async (isSignOut) => {
  const all = isSignOut ? [] : [...waiting]
  isOver = true
  waiting.clear()
  await Promise.all(all.map(([key, typed]) => kept.write(key, typed)))
})

function readTyped(key: string): unknown {
  try {
    return JSON.parse(setting.read(key)!)
  } catch {
    // Cut off, or written by something else.
    return undefined
  }
}
const moved = Promise.all(
  setting.names('draft:').map((key) => {
    const typed = readTyped(key)
    setting.write(key, null)
    return typed === undefined ? undefined : kept.write(key, typed)
  }),
)

export interface Draft<T> {
  /** What is typed; undefined until the device has been asked. */
  readonly value: Signal<T | undefined>
  /** Forgets it: it was sent, or is not wanted. */
  drop(): Promise<unknown>
}

/** The draft of a name, such as `note:7` or `order:3`. Write to `value` as the person types. */
export function draft<T>(name: string, empty: T): Draft<T> {
  const key = `draft:${me.peek()?.id}:${name}`
  const value = signal(waiting.get(key) as T | undefined)
  let timer: ReturnType<typeof setTimeout> | undefined
  let last: T | undefined
  moved
    .then(() => kept.read<T>(key))
    .then((found) => {
      if (value.peek() !== undefined) return
      last = found ?? empty
      value.value = last
    })
  value.subscribe((now) => {
    if (now === undefined || now === last || isOver) return
    last = now
    clearTimeout(timer)
    waiting.set(key, now)
    timer = setTimeout(async () => {
      const isNewest = () => waiting.get(key) === now
      if (isNewest()) await kept.write(key, now)
      if (isNewest()) waiting.delete(key)
    }, WRITE_AFTER_MS)
  })
  return {
    value,
    drop() {
      clearTimeout(timer)
      waiting.delete(key)
      last = empty
      value.value = empty
      return kept.remove(key)
    },
  }
}
