import { useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import { useClosing, useSaving } from '../../parts/forms/saving.ts'
import { Button } from '../../parts/show/button.tsx'
import { idempotencyKey } from '../../platform/client.ts'
import { draft } from '../../platform/drafts.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { Service } from './data.ts'
import type { Form } from './laying.ts'
import { Notes } from './notes.tsx'
import { empty, sendOnce } from './sending.ts'
import { t } from './texts.ts'

interface FormProps {
  service: Service
  close: () => void
  /** Called with the form if the service got one after the catalogue was read. */
  takeForm: (form: Form) => void
}

/** The notes with which a service without a form is ordered. */
export function NotesForm({ service, close, takeForm }: FormProps) {
  const kept = useMemo(() => draft(`order:${service.id}`, empty()), [service.id])
  const form = useRef<HTMLFormElement>(null)
  // The dialog honours `autoFocus` only as it opens, and the service may arrive later.
  useLayoutEffect(() => form.current?.querySelector('textarea')?.focus(), [])
  const closing = useClosing(close)
  const place = async () => {
    try {
      await sendOnce(kept, ({ notes }) => ({ serviceId: service.id, notes: notes.trim() || null, formVersion: 0 }), closing)
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
        value={kept.value.value?.notes ?? ''}
        change={(notes) => {
          kept.value.value = { ...kept.value.peek(), notes, key: idempotencyKey() }
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
