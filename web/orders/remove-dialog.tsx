import { useSignal } from '@preact/signals'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Refusal } from '../platform/refusal.ts'
import { type Order, remove, serviceOf } from './data.ts'
import { t } from './texts.ts'

/** Asks before an order is deleted: nothing brings it back. */
export function RemoveDialog({ order, close, after }: { order: Order; close: () => void; after?: () => void }) {
  const isBusy = useSignal(false)
  const failed = useSignal('')
  async function run() {
    isBusy.value = true
    try {
      await remove(order)
      close()
      after?.()
    } catch (failure) {
      isBusy.value = false
      failed.value = failure instanceof Refusal ? failure.text : t.unreached
    }
  }
  return (
    <Dialog
      title={t.removeTitle(serviceOf(order))}
      close={close}
      end={
        <>
          <Button onClick={close}>{t.keep}</Button>
          <Button kind="danger" icon="trash-2" isBusy={isBusy.value} onClick={run}>
            {t.removeYes}
          </Button>
        </>
      }
    >
      <p>{t.removeHint}</p>
      <p class="error" role="alert">
        {failed}
      </p>
    </Dialog>
  )
}
