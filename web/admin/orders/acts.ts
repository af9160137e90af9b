import { cancel, detailsAt, isOpen, isParty, type Order, restorable, restore } from '../../orders/data.ts'
import type { MenuItem } from '../../parts/menu.tsx'
import { giveBack, type Question } from './data.ts'
import { t } from './texts.ts'

/** Whether an order waits for an approval, as far as the page knows. */
const isHeld = ({ id }: Order) => detailsAt(id).peek()?.progress === 'held'

/** The actions that an administrator can take on an order now. */
export function actsOn(order: Order, ask: (question: Question) => void): MenuItem[] {
  const items: (MenuItem | false)[] = [
    isOpen(order) && !isHeld(order) && { text: t.assign, icon: 'hand', run: () => ask({ kind: 'assign', orders: [order] }) },
    isOpen(order) && order.status !== 'pending' && { text: t.release, icon: 'inbox', run: () => giveBack(order) },
    order.next.includes('cancelled') && {
      text: t.cancel,
      icon: 'circle-x',
      run: () => (isParty(order, detailsAt(order.id).peek()?.beneficiary) ? cancel(order) : ask({ kind: 'cancel', orders: [order] })),
    },
    restorable(order) !== undefined && { text: t.restore, icon: 'undo-2', run: () => restore(order) },
    { text: t.remove, icon: 'trash-2', apart: true, run: () => ask({ kind: 'remove', orders: [order] }) },
  ]
  return items.filter((one) => one !== false)
}
