/** What is deleted leaves the page at once and the portal when undoing has ended, or with the page. */
import { signal } from '@preact/signals'
import { sayFailure } from '../parts/failures.ts'
import { say } from '../parts/toasts.tsx'
import { invalidate } from '../platform/cache.ts'
import { answer, api } from '../platform/client.ts'
import { Refusal } from '../platform/refusal.ts'

const UNDO_MS = 15_000

type Path = '/notes/{id}' | '/notes/folders/{id}' | '/notes/labels/{id}'
const leaving = signal<ReadonlySet<string>>(new Set())
const acts = new Map<string, () => void>()
const nameOf = (path: Path, id: number) => `${path} ${id}`

/** Whether it was deleted a moment ago, and can still come back. */
export const isLeaving = (path: Path, id: number) => leaving.value.has(nameOf(path, id))

function forget(name: string) {
  acts.delete(name)
  leaving.value = new Set([...leaving.value].filter((one) => one !== name))
}

addEventListener('pagehide', () => {
  for (const act of acts.values()) act()
})

/** Deletes a record after 15 seconds, unless the person takes it back. */
export function removeLater(path: Path, id: number, text: string) {
  const name = nameOf(path, id)
  async function act() {
    clearTimeout(timer)
    acts.delete(name)
    takeOff()
    await answer(api.DELETE(path, { params: { path: { id } }, keepalive: true })).catch((failure) => {
      if (!(failure instanceof Refusal && failure.code === 'not_found')) sayFailure(failure)
    })
    await invalidate('/notes', '/notes/sent', '/notes/folders', '/notes/labels')
    forget(name)
  }
  const timer = setTimeout(act, UNDO_MS)
  acts.set(name, act)
  leaving.value = new Set([...leaving.value, name])
  const takeOff = say({
    text,
    undoUntil: Date.now() + UNDO_MS,
    undo() {
      clearTimeout(timer)
      forget(name)
    },
  })
}
