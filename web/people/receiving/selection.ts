import { signal } from '@preact/signals'
import { MOST } from './data.ts'

/** The ids of the selected orders; undefined while the board is not in selection mode. */
export const selected = signal<ReadonlySet<number> | undefined>(undefined)

export function toggle(id: number) {
  const now = new Set(selected.peek())
  if (!now.delete(id) && now.size < MOST) now.add(id)
  selected.value = now
}

export const selectAll = (ids: number[]) => {
  selected.value = new Set(ids.slice(0, MOST))
}

export const startSelecting = () => {
  selected.value = new Set()
}
export const endSelecting = () => {
  selected.value = undefined
}
