import { useSignal } from '@preact/signals'
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import { place as placeOrder } from '../orders/data.ts'
import { addressDialog } from '../parts/address-dialog.ts'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { lazily } from '../parts/lazily.tsx'
import { useSaving } from '../parts/saving.ts'
import { Skeleton } from '../parts/skeleton.tsx'
import { idempotencyKey } from '../platform/client.ts'
import { draft } from '../platform/drafts.ts'
import { inLanguage, isolated, named } from '../platform/language.ts'
import { Refusal } from '../platform/refusal.ts'
import { catalogue, entryOf, priceOf, type Service } from './data.ts'
import { Due } from './due.tsx'
import type { Form } from './laying.ts'
import { Notes } from './notes.tsx'
import { sayOrdered } from './said.ts'
import { offOf } from './service-card.tsx'
import { t } from './texts.ts'
import { asksForWhom, bodyFor, isLacking, type Whom, whomOf, wrongPerson } from './whom.ts'

/** The dialog's service, by its id in the address. */
export const ordering = addressDialog('order')

const ForWhom = lazily(async () => (await import('./for-whom.tsx')).ForWhom)
const OrderForm = lazily(async () => (await import('./order-form.tsx')).OrderForm)

interface FormProps {
  service: Service
  again: number | undefined
  close: () => void
  /** The service has had a form since the catalogue was read. */
  takeForm: (form: Form) => void
}

interface Typed {
  notes: string
  /** It belongs to the notes and the person, so that the same order is sent only once. */
  key: string
  whom?: Whom
}
const empty = (): Typed => ({ notes: '', key: idempotencyKey() })

/** The notes with which a service without a form is ordered. */
function NotesForm({ service, again, close, takeForm }: FormProps) {
  const kept = useMemo(() => draft<Typed>(`order:${service.id}`, empty()), [service.id])
  const form = useRef<HTMLFormElement>(null)
  // The dialog honours `autoFocus` only as it opens, and the service may arrive later.
  useLayoutEffect(() => form.current?.querySelector('textarea')?.focus(), [])
  const typed = kept.value.value ?? empty()
  const whom = whomOf(service, typed.whom)
  const isMissing = useSignal(false)
  const type = (change: Partial<Typed>) => {
    kept.value.value = { ...(kept.value.peek() ?? empty()), ...change, key: idempotencyKey() }
  }
  const place = async () => {
    // The draft may not be read yet.
    kept.value.value ??= empty()
    const { notes, key } = kept.value.value
    try {
      const order = await placeOrder({ serviceId: service.id, notes: notes.trim() || null, formVersion: 0, ...bodyFor(whom) }, key)
      await kept.drop()
      close()
      sayOrdered(order)
    } catch (failure) {
      if (!(failure instanceof Refusal && failure.code === 'form_changed')) throw failure
      takeForm(failure.body['form'] as Form)
    }
  }
  const { isBusy, problem, failure, run } = useSaving(place, { unreached: t.unreached })
  const wrong = wrongPerson(failure, whom)
  function press() {
    isMissing.value = isLacking(whom)
    if (isMissing.value) form.current?.querySelector<HTMLElement>('.services-whom [role=combobox]')?.focus()
    else run()
  }
  return (
    <form
      ref={form}
      class="services-form"
      onSubmit={(event) => {
        event.preventDefault()
        press()
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) press()
      }}
    >
      {asksForWhom(service, whom) && (
        <ForWhom
          service={service}
          whom={whom}
          again={typed.whom === undefined ? again : undefined}
          error={wrong ?? (isMissing.value && isLacking(whom) ? 'missing' : undefined)}
          change={(next) => type({ whom: next })}
        />
      )}
      <Notes isFirst value={typed.notes} change={(notes) => type({ notes })} />
      <p class="error" role="alert">
        {wrong ? '' : problem}
      </p>
      <Button kind="main" type="submit" icon="send" isBusy={isBusy}>
        {t.send}
      </Button>
    </form>
  )
}

interface DialogProps {
  service: Service | undefined
  /** The earlier order whose answers are laid into the form. */
  again: number | undefined
  close: () => void
}

/** The second step of an order: the form of the service, and the optional notes. */
export function OrderDialog({ service, again, close }: DialogProps) {
  const sent = useSignal<Form | undefined>(undefined)
  const about = service && inLanguage(service.descriptionAr, service.descriptionEn)
  const price = service && priceOf(service)
  const entry = service && entryOf(service)
  const off = service && offOf(service)
  const hasForm = sent.value !== undefined || typeof entry?.formVersion === 'number'
  // A form that opened before the catalogue arrived would be another one then.
  const isKnown = catalogue.data !== undefined || catalogue.error !== undefined
  return (
    // Typed notes are kept, so nothing is ever unsaved.
    <Dialog
      title={service ? t.orderOf(named(service)) : t.title}
      class={hasForm ? 'services-wide' : undefined}
      close={close}
      isUnsaved={() => false}
    >
      {about && (
        <p class="quiet" dir="auto">
          {about}
        </p>
      )}
      {price && (
        <p class="services-cost">
          {t.price} <bdi>{price}</bdi>
        </p>
      )}
      {entry?.notice && (
        <p class="services-notice" dir="auto">
          {entry.notice}
        </p>
      )}
      {entry?.team && <p class="quiet small">{t.doneBy(isolated(entry.team))}</p>}
      {entry && entry.needsApproval !== 'no' && !off && <p class="quiet small">{t.approval[entry.needsApproval]}</p>}
      {off && <p class="services-cost">{off.chip}</p>}
      {service && !off && !hasForm && <Due of={service} />}
      {(!service || off) && <p>{off?.hint ?? t.unknown}</p>}
      {service &&
        !off &&
        (!isKnown ? (
          <Skeleton />
        ) : hasForm ? (
          <OrderForm service={service} again={again} sent={sent.value} close={close} />
        ) : (
          <NotesForm
            service={service}
            again={again}
            close={close}
            takeForm={(form) => {
              sent.value = form
            }}
          />
        ))}
    </Dialog>
  )
}
