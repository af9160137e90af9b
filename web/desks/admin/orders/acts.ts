import type { MenuItem } from '../../../parts/overlay/menu.tsx'
import { actsFor, cancel, detailsAt, isParty, type Order, restorable, restore } from '../../../people/orders/data.ts'
import { giveBack, type Question } from './data.ts'
import { t } from './texts.ts'

/** The actions that an administrator can take on an order now; none while its details are loading. */
export function actsOn(order: Order, ask: (question: Question) => void): MenuItem[] {
  const { data: details, error } = detailsAt(order.id)
  if (!details && !error) return []
  const { assigns, cancels, releases } = actsFor(order, details)
  const items: (MenuItem | false)[] = [
    assigns && { text: t.assign, icon: 'hand', run: () => ask({ kind: 'assign', orders: [order] }) },
    releases && { text: t.release, icon: 'inbox', run: () => giveBack(order) },
    cancels && {
      text: t.cancel,
      icon: 'circle-x',
      run: () => (isParty(order, details?.beneficiary) ? cancel(order) : ask({ kind: 'cancel', orders: [order] })),
    },
    restorable(order) !== undefined && { text: t.restore, icon: 'undo-2', run: () => restore(order) },
    { text: t.remove, icon: 'trash-2', apart: true, run: () => ask({ kind: 'remove', orders: [order] }) },
  ]
  return items.filter((one) => one !== false)
}
