import { useClosing, useSaving } from '../../parts/forms/saving.ts'
import { Dialog } from '../../parts/overlay/dialog.tsx'
import { Button } from '../../parts/show/button.tsx'
import { type go, onward } from '../../platform/router.ts'
import { type Order, remove, serviceOf } from './data.ts'
import { t } from './texts.ts'

interface RemoveProps {
  order: Order
  close: () => void
  /** Called after the deletion. `goOn` navigates only if the person is still on the page. */
  after?: (goOn: typeof go) => void
}

/** Asks before deleting an order, because that cannot be undone. */
export function RemoveDialog({ order, close, after }: RemoveProps) {
  const closing = useClosing(close)
  const { isBusy, problem, run } = useSaving(() => remove(order))
  const removed = async () => {
    const goOn = onward()
    if (!(await run())) return
    closing()
    after?.(goOn)
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
