import { useSignal } from '@preact/signals'
import { type Order, place, serviceOf } from '../orders/data.ts'
import { sayFailure } from '../parts/failures.ts'
import { Icon } from '../parts/icon.tsx'
import { go } from '../platform/router.ts'
import { entryOf, keyOfPress, type NewOrder, recents, type Service } from './data.ts'
import { sayOrdered } from './said.ts'
import { t } from './texts.ts'

/** What orders the same again; undefined if the answers no longer fit the form. */
async function bodyOf({ id, serviceId, notes }: Order, service: Service): Promise<NewOrder | undefined> {
  if (!entryOf(service).formVersion) return { serviceId, notes }
  const { layAgain, readForm } = await import('./laying.ts')
  const form = await readForm(serviceId)
  const { judgement } = await layAgain(service, id, form)
  return judgement.errors.length ? undefined : { serviceId, notes, formVersion: form.version, answers: judgement.answers }
}

/** Repeats recent orders, with the same notes and answers, in one press. */
export function Again({ orders, services }: { orders: Order[]; services: Service[] }) {
  const busy = useSignal<number | undefined>(undefined)
  const last = recents(orders, services)
  if (last.length === 0) return null
  async function order(one: Order) {
    if (busy.value !== undefined) return
    busy.value = one.id
    try {
      const body = await bodyOf(one, services.find(({ id }) => id === one.serviceId)!)
      if (body) sayOrdered(await place(body, keyOfPress(body)))
      else go(`/services?order=${one.serviceId}&again=${one.id}`)
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
