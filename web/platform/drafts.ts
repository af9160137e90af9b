/** Unsent text, stored on this device until it is sent, its person signs out or somebody else signs in. */
import { type Signal, signal } from '@preact/signals'
import { kept, setting } from './device.ts'
import { beforeLeaving, me } from './session.ts'

const WRITE_AFTER_MS = 300

/** Text that is not yet written to the device, by its key. */
const waiting = new Map<string, unknown>()
let isOver = false
// While the page is being closed, the database is too slow, so the text is stored as settings. The next page moves these settings into the
// database.
addEventListener('pagehide', () => {
  for (const [key, typed] of waiting) setting.write(key, JSON.stringify(typed))
})
// A sign-out removes drafts. After a session has expired they stay, until somebody else signs in.
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
    // The stored text is truncated, or other code wrote it.
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
  /** The text; undefined until it is read from the device. */
  readonly value: Signal<T | undefined>
  /** Deletes the draft. After a call, pass what was sent: a text that was edited since is kept. Returns whether the draft was deleted. */
  drop(sent?: T): Promise<boolean>
}

const keyOf = (name: string) => `draft:${me.peek()?.id}:${name}`
/** Whether the device has a draft with this name. */
export const hasDraft = async (name: string) => {
  await moved
  return (await kept.read(keyOf(name))) !== undefined
}

/** Opens the draft with a name such as `note:7` or `order:3`. Write to `value` as the person types. */
export function draft<T>(name: string, empty: T): Draft<T> {
  const key = keyOf(name)
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
    async drop(sent = value.peek()) {
      if (value.peek() !== sent) return false
      clearTimeout(timer)
      waiting.delete(key)
      last = empty
      value.value = empty
      await kept.remove(key)
      return true
    },
  }
}
