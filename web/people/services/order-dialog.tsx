import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { addressDialog } from '../../parts/overlay/address-dialog.ts'
import { Dialog } from '../../parts/overlay/dialog.tsx'
import { lazily } from '../../parts/show/lazily.tsx'
import { Skeleton } from '../../parts/show/skeleton.tsx'
import { inLanguage, isolated, named } from '../../platform/language.ts'
import { catalogue, entryOf, priceOf, type Service } from './data.ts'
import { Due } from './due.tsx'
import type { Form } from './laying.ts'
import { NotesForm } from './notes-form.tsx'
import { offOf } from './service-card.tsx'
import { t } from './texts.ts'

/** The dialog that orders a service; the address contains the service's id. */
export const ordering = addressDialog('order')

const OrderForm = lazily(async () => (await import('./order-form.tsx')).OrderForm)

const noForm: Form = { version: 0, fields: [], updatedAt: null }

interface DialogProps {
  service: Service | undefined
  /** The earlier order whose answers and notes fill the form. */
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
  // Once asked, keep asking: a choice must survive even if the person loses the right to order for others.
  const asksForWhom = useRef(false)
  asksForWhom.current ||= !!entry?.mayOrderForOthers
  // An earlier order fills the full form, even if the service asks only for notes.
  const isForm = hasForm || asksForWhom.current || again
  const form = sent.value ?? (hasForm ? undefined : noForm)
  // Wait for the catalogue, because it decides which form opens.
  const isKnown = catalogue.data !== undefined || catalogue.error !== undefined
  return (
    // Typed notes are stored as a draft, so nothing is ever unsaved.
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
      {service && !off && !isForm && <Due of={service} />}
      {(!service || off) && <p>{off?.hint ?? t.unknown}</p>}
      {service &&
        !off &&
        (!isKnown ? (
          <Skeleton />
        ) : isForm ? (
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
