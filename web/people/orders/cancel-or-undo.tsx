import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { Button } from '../../parts/show/button.tsx'
import { CountdownRing } from '../../parts/show/countdown-ring.tsx'
import { lazily } from '../../parts/show/lazily.tsx'
import { onThisClock } from '../../platform/client.ts'
import { acting, cancel, isParty, type ListedDetails, type Order, restorable, restore, serviceOf } from './data.ts'
import { t } from './texts.ts'

/** Whether a moment of the portal's clock is in the future. Renders again when it passes. */
function useBefore(moment: string | null) {
  const passed = useSignal('')
  useEffect(() => {
    if (!moment) return
    const timer = setTimeout(() => (passed.value = moment), onThisClock(moment) - Date.now())
    return () => clearTimeout(timer)
  }, [moment])
  return moment !== null && passed.value !== moment && onThisClock(moment) > Date.now()
}

const CancelDialog = lazily(async () => (await import('../../parts/overlay/cancel-dialog.tsx')).CancelDialog)

/** One button that cancels an order, and then undoes the cancellation until the time for undo is over. */
export function CancelOrUndo({ order, details }: { order: Order; details: Pick<ListedDetails, 'beneficiary'> | undefined }) {
  const isAsking = useSignal(false)
  const isInTime = useBefore(order.undoUntil)
  const isUndoable = isInTime && restorable(order) !== undefined
  // Only the details say whether the order is for the reader, who then needs no reason.
  const isOffered = order.next.includes('cancelled') && (details !== undefined || isParty(order, undefined))
  // An open dialog keeps its typed text even if the order can no longer be cancelled, for example while the cancellation is under way.
  if (!isUndoable && !isOffered && !isAsking.value) return null
  const close = () => {
    isAsking.value = false
  }
  const ask = () => {
    isAsking.value = true
  }
  return (
    <>
      <Button
        kind={isUndoable ? undefined : 'plain'}
        class="button orders-cancel"
        isBusy={acting.value.has(order.id)}
        onClick={() => (isUndoable ? restore(order) : isParty(order, details?.beneficiary) ? cancel(order) : ask())}
      >
        {isUndoable && <CountdownRing until={onThisClock(order.undoUntil!)} />}
        {isUndoable ? t.undo : t.cancel}
      </Button>
      {isAsking.value && <CancelDialog service={serviceOf(order)} close={close} cancel={(reason) => cancel(order, reason)} />}
    </>
  )
}
