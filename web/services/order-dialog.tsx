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

/** The dialog's service, by its id in the address. */
export const ordering = addressDialog('order')

const OrderForm = lazily(async () => (await import('./order-form.tsx')).OrderForm)

const noForm: Form = { version: 0, fields: [], updatedAt: null }

interface FormProps {
  service: Service
  close: () => void
  /** The service has had a form since the catalogue was read. */
  takeForm: (form: Form) => void
}

/** The notes with which a service without a form is ordered. */
function NotesForm({ service, close, takeForm }: FormProps) {
  // The key belongs to the notes, so that the same notes are sent only once.
  const kept = useMemo(() => draft(`order:${service.id}`, { notes: '', key: idempotencyKey() }), [service.id])
  const form = useRef<HTMLFormElement>(null)
  // The dialog honours `autoFocus` only as it opens, and the service may arrive later.
  useLayoutEffect(() => form.current?.querySelector('textarea')?.focus(), [])
  const { notes } = kept.value.value ?? { notes: '' }
  const place = async () => {
    // The draft may not be read yet.
    if (!kept.value.value) kept.value.value = { notes: '', key: idempotencyKey() }
    const { notes, key } = kept.value.value
    try {
      const order = await placeOrder({ serviceId: service.id, notes: notes.trim() || null, formVersion: 0 }, key)
      await kept.drop()
      close()
      sayOrdered(order)
    } catch (failure) {
      if (!(failure instanceof Refusal && failure.code === 'form_changed')) throw failure
      takeForm(failure.body['form'] as Form)
    }
  }
  const { isBusy, problem, run } = useSaving(place, { unreached: t.unreached })
  return (
    <form
      ref={form}
      class="services-form"
      onSubmit={(event) => {
        event.preventDefault()
        run()
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) run()
      }}
    >
      <Notes
        isFirst
        value={notes}
        change={(notes) => {
          kept.value.value = { notes, key: idempotencyKey() }
        }}
      />
      <p class="error" role="alert">
        {problem}
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
  // Once asked for whom it is, the person may lose the right to order for others: what they chose must not be forgotten.
  const asksForWhom = useRef(false)
  asksForWhom.current ||= !!entry?.mayOrderForOthers
  const form = sent.value ?? (hasForm ? undefined : noForm)
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
        ) : hasForm || asksForWhom.current ? (
          <OrderForm service={service} again={again} sent={form} close={close} />
        ) : (
          <NotesForm
            service={service}
            close={close}
            takeForm={(form) => {
              sent.value = form
            }}
          />
        ))}
    </Dialog>
  )
}
