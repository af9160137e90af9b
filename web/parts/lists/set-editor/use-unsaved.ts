import { useEffect } from 'preact/hooks'
import { isSame } from '../../forms/form/merging.ts'
import { type Staged, sizeOf, unsaved } from './staged.ts'

interface Options<Item> {
  /** Whether the changes are being saved. */
  isBusy: boolean
  staged: Staged<Item>
  /** The saved set. */
  ids: readonly number[]
  endNow?: (item: Item) => string | null
  change: (staged: Staged<Item>) => void
}

/** Unstages changes that are already saved, by somebody else or by a save whose later part was refused. */
export function useUnsaved<Item extends { id: number }>({ isBusy, staged, ids, endNow, change }: Options<Item>) {
  useEffect(() => {
    if (isBusy || sizeOf(staged) === 0) return
    const inside = new Set(ids)
    const left = unsaved(staged, ({ id }) => inside.has(id), endNow)
    if (!isSame(left, staged)) change(left)
  }, [isBusy, staged, ids])
}
