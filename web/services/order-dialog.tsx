import { useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import { place as placeOrder } from '../orders/data.ts'
import { addressDialog } from '../parts/address-dialog.ts'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { TextArea } from '../parts/field.tsx'
import { useSaving } from '../parts/saving.ts'
import { idempotencyKey } from '../platform/client.ts'
import { draft } from '../platform/drafts.ts'
import { inLanguage, isolated, named } from '../platform/language.ts'
import { entryOf, priceOf, type Service } from './data.ts'
import { Due } from './due.tsx'
import { sayOrdered } from './said.ts'
import { offOf } from './service-card.tsx'
import { t } from './texts.ts'

const MOST = 500
const NEARLY = 100

/** The dialog's service, by its id in the address. */
export const ordering = addressDialog('order')

function Form({ service, close }: { service: Service; close: () => void }) {
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
    const order = await placeOrder(service.id, notes, key)
    await kept.drop()
    close()
    sayOrdered(order)
  }
  const { isBusy, problem, run } = useSaving(place, { unreached: t.unreached })
  const left = MOST - notes.length
  return (
    <form
      ref={form}
      class="services-form"
      onSubmit={(event) => {
        event.preventDefault()
        run()
      }}
    >
      <TextArea
        label={t.notes}
        autoFocus
        optional={t.optional}
        hint={left <= NEARLY ? t.left(left) : t.notesHint}
        maxLength={MOST}
        value={notes}
        onInput={(event) => {
          kept.value.value = { notes: event.currentTarget.value, key: idempotencyKey() }
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) run()
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

/** The second step of an order: the optional notes. */
export function OrderDialog({ service, close }: { service: Service | undefined; close: () => void }) {
  const about = service && inLanguage(service.descriptionAr, service.descriptionEn)
  const price = service && priceOf(service)
  const entry = service && entryOf(service)
  const off = service && offOf(service)
  return (
    // Typed notes are kept, so nothing is ever unsaved.
    <Dialog title={service ? t.orderOf(named(service)) : t.title} close={close} isUnsaved={() => false}>
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
      {off && <p class="services-cost">{off.chip}</p>}
      {service && !off && <Due of={service} />}
      {service && !off ? <Form service={service} close={close} /> : <p>{off?.hint ?? t.unknown}</p>}
    </Dialog>
  )
}
