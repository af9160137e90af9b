import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { useSaving } from '../parts/saving.ts'
import { type Order, remove, serviceOf } from './data.ts'
import { t } from './texts.ts'

/** Asks before deleting an order, because that cannot be undone. */
export function RemoveDialog({ order, close, after }: { order: Order; close: () => void; after?: () => void }) {
  const { isBusy, problem, run } = useSaving(() => remove(order))
  const removed = async () => {
    if (!(await run())) return
    close()
    after?.()
  }
  return (
    <Dialog
      title={t.removeTitle(serviceOf(order))}
      close={close}
      end={
        <>
          <Button onClick={close}>{t.keep}</Button>
          <Button kind="danger" icon="trash-2" isBusy={isBusy} onClick={removed}>
            {t.removeYes}
          </Button>
        </>
      }
    >
      <p>{t.removeHint}</p>
      <p class="error" role="alert">
        {problem}
      </p>
    </Dialog>
  )
}
