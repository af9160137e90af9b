import { Avatar } from '../../parts/show/avatar.tsx'
import { Moment } from '../../parts/show/moment.tsx'
import type { Schemas } from '../../platform/client.ts'
import { named, nameOf } from '../../platform/language.ts'
import { at } from '../../platform/router.ts'
import { forWhom } from '../orders/data.ts'
import { t } from './texts.ts'

type Row = Schemas['OrderDetailsPage']['items'][number]

/** An order in the list: a link to its card. */
function Line({ row, isHere }: { row: Row; isHere: boolean }) {
  const { order, details } = row
  return (
    <li>
      <a class="approvals-row" href={at(`/approvals/${order.id}`)} aria-current={isHere ? 'page' : undefined}>
        {order.requester && <Avatar person={order.requester} />}
        <span>
          <b>
            <bdi>{named(order.service)}</bdi>
          </b>
          <span class="small">
            <bdi>{order.requester ? nameOf(order.requester) : t.someone}</bdi> {forWhom(order, details)}
          </span>
          <span class="quiet small">
            <Moment at={order.createdAt} />
          </span>
        </span>
      </a>
    </li>
  )
}

/** The orders that the person has yet to approve, and those that they have approved and that wait for other approvers. */
export const List = ({ mine, others, here }: { mine: readonly Row[]; others: readonly Row[]; here: number }) => (
  <>
    {[[t.yours, mine] as const, [t.others, others] as const].map(
      ([title, rows]) =>
        rows.length > 0 && (
          <section key={title}>
            <h2 class="quiet small">{title}</h2>
            <ul aria-label={title}>
              {rows.map((row) => (
                <Line key={row.order.id} row={row} isHere={row.order.id === here} />
              ))}
            </ul>
          </section>
        ),
    )}
  </>
)
