import { resource } from '../platform/cache.ts'
import { exactly } from '../platform/dates.ts'
import { inLanguage, nameOf } from '../platform/language.ts'
import { me } from '../platform/session.ts'
import type { Order } from './data.ts'
import { t } from './texts.ts'

const notifications = resource('/notifications')

/** The history of an order from the reader's notifications, newest last. */
export function History({ order }: { order: Order }) {
  const ofOrder = (notifications.data ?? []).filter(({ relatedType, relatedId }) => relatedType === 'order' && relatedId === order.id)
  const steps = [
    { key: 0, at: order.createdAt, text: order.requester ? `${t.placed} · ${nameOf(order.requester)}` : t.placed },
    ...ofOrder
      .filter(({ createdAt }) => createdAt > order.createdAt)
      .map(({ id, createdAt, bodyAr, bodyEn, titleAr, titleEn }) => ({
        key: id,
        at: createdAt,
        // The notification of one's own cancellation reads as if somebody else had cancelled.
        text:
          /cancelled/.test(titleEn) && order.userId === me.value?.id
            ? t.wasCancelled
            : inLanguage(bodyAr, bodyEn) || inLanguage(titleAr, titleEn),
      }))
      .toReversed(),
  ]
  return (
    <section class="orders-history" aria-labelledby="history">
      <h2 id="history">{t.history}</h2>
      <ol>
        {steps.map(({ key, at, text }) => (
          <li key={key}>
            <span dir="auto">{text}</span>
            <time class="quiet small" dateTime={at}>
              {exactly(at)}
            </time>
          </li>
        ))}
      </ol>
    </section>
  )
}
