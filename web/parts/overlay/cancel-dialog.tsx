import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { TextArea } from '../forms/field.tsx'
import { useClosing, useSaving } from '../forms/saving.ts'
import { Button } from '../show/button.tsx'
import { t } from './cancel-dialog-texts.ts'
import { Dialog } from './dialog.tsx'

interface CancelDialogProps {
  /** The name of the service. */
  service: string
  close: () => void
  /** Cancels the order, and reports a failure itself. The dialog then closes unless the result is false, which keeps the typed reason. */
  cancel: (reason: string) => Promise<unknown>
  /** Information for the person, above the reason. */
  children?: ComponentChildren
}

/** Asks a person who neither placed an order nor is its beneficiary why they cancel it. */
export function CancelDialog({ service, close, cancel, children }: CancelDialogProps) {
  const id = useId()
  const reason = useSignal('')
  const isMissing = useSignal(false)
  const closing = useClosing(close)
  const { isBusy, run } = useSaving(async (given: string) => {
    if ((await cancel(given)) !== false) closing()
  })
  return (
    <Dialog
      title={t.title(service)}
      close={close}
      end={
        <>
          <Button onClick={close}>{t.no}</Button>
          <Button kind="danger" type="submit" form={id} isBusy={isBusy}>
            {t.yes}
          </Button>
        </>
      }
    >
      <form
        id={id}
        class="form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          const given = reason.value.trim()
          isMissing.value = !given
          if (!given) return event.currentTarget.querySelector('textarea')?.focus()
          run(given)
        }}
      >
        {children}
        <TextArea
          label={t.reason}
          hint={t.hint}
          required
          rows={3}
          maxLength={500}
          value={reason.value}
          error={isMissing.value ? t.missing : undefined}
          onInput={(event) => (reason.value = event.currentTarget.value)}
        />
      </form>
    </Dialog>
  )
}
