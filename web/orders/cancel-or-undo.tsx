import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { Button } from '../parts/button.tsx'
import { CountdownRing } from '../parts/countdown-ring.tsx'
import { onThisClock } from '../platform/client.ts'
import { acting, cancel, type Order, restorable, restore } from './data.ts'
import { t } from './texts.ts'

/** Whether a moment of the portal's clock is in the future. Redraws when it passes. */
function useBefore(moment: string | null) {
  const passed = useSignal('')
  useEffect(() => {
    if (!moment) return
    const timer = setTimeout(() => (passed.value = moment), onThisClock(moment) - Date.now())
    return () => clearTimeout(timer)
  }, [moment])
  return moment !== null && passed.value !== moment && onThisClock(moment) > Date.now()
}

/** One button that cancels an order, and then undoes that until the time runs out. */
export function CancelOrUndo({ order }: { order: Order }) {
  const isInTime = useBefore(order.undoUntil)
  const isUndoable = isInTime && restorable(order) !== undefined
  if (!isUndoable && !order.next.includes('cancelled')) return null
  return (
    <Button
      kind={isUndoable ? undefined : 'plain'}
      class="button orders-cancel"
      isBusy={acting.value.has(order.id)}
      onClick={() => (isUndoable ? restore(order) : cancel(order))}
    >
      {isUndoable && <CountdownRing until={onThisClock(order.undoUntil!)} />}
      {isUndoable ? t.undo : t.cancel}
    </Button>
  )
}
