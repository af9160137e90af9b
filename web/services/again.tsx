import { useSignal } from '@preact/signals'
import { type Order, place, serviceOf } from '../orders/data.ts'
import { sayFailure } from '../parts/failures.ts'
import { Icon } from '../parts/icon.tsx'
import { keyOfPress, recents, type Service } from './data.ts'
import { sayOrdered } from './said.ts'
import { t } from './texts.ts'

/** Repeats recent orders, with the same notes, in one press. */
export function Again({ orders, services }: { orders: Order[]; services: Service[] }) {
  const busy = useSignal<number | undefined>(undefined)
  const last = recents(orders, services)
  if (last.length === 0) return null
  async function order({ id, serviceId, notes }: Order) {
    if (busy.value !== undefined) return
    busy.value = id
    try {
      sayOrdered(await place(serviceId, notes, keyOfPress(serviceId, notes)))
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
