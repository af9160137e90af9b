import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { Button } from './button.tsx'
import { t } from './cancel-dialog-texts.ts'
import { Dialog } from './dialog.tsx'
import { TextArea } from './field.tsx'

interface CancelDialogProps {
  /** The name of the service. */
  service: string
  close: () => void
  cancel: (reason: string) => void
  /** What the person should know first. */
  children?: ComponentChildren
}

/** Asks somebody who did not place an order why they cancel it. The dialog closes before it is cancelled. */
export function CancelDialog({ service, close, cancel, children }: CancelDialogProps) {
  const id = useId()
  const reason = useSignal('')
  const isMissing = useSignal(false)
  return (
    <Dialog
      title={t.title(service)}
      close={close}
      end={
        <>
          <Button onClick={close}>{t.no}</Button>
          <Button kind="danger" type="submit" form={id}>
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
          close()
          cancel(given)
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
