import { useSignal } from '@preact/signals'
import { sayFailure } from '../../parts/show/failures.ts'
import { Icon } from '../../parts/show/icon.tsx'
import { onward } from '../../platform/router.ts'
import { type Order, serviceOf } from '../orders/data.ts'
import { recents, type Service } from './data.ts'
import { sayOrdered } from './said.ts'
import { t } from './texts.ts'

/** Repeats recent orders, with the same notes and answers, in one press. Where something no longer fits, the form opens. */
export function Again({ orders, services }: { orders: Order[]; services: Service[] }) {
  const busy = useSignal<number | undefined>(undefined)
  const last = recents(orders, services)
  if (last.length === 0) return null
  async function order(one: Order) {
    if (busy.value !== undefined) return
    busy.value = one.id
    const goOn = onward()
    try {
      const service = services.find(({ id }) => id === one.serviceId)!
      const placed = await (await import('./laying.ts')).orderAgain(service, one)
      if (placed) sayOrdered(placed)
      else goOn(`/services?order=${one.serviceId}&again=${one.id}`)
    } catch (failure) {
      sayFailure(failure, t.unreached)
    } finally {
      busy.value = undefined
    }
  }
  return (
    <section aria-labelledby="again">
      <h2 id="again">{t.again}</h2>
      <ul class="services-again">
        {last.map((one) => (
          <li key={`${one.serviceId} ${one.notes}`}>
            <button type="button" class="button" aria-busy={busy.value === one.id || undefined} onClick={() => order(one)}>
              <Icon name="refresh-cw" size={18} />
              <span class="unseen">{t.againBefore}</span>
              <bdi>{serviceOf(one)}</bdi>
              {one.notes && <bdi class="quiet small services-notes">{one.notes}</bdi>}
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
