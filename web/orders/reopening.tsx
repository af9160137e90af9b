import { useSignal } from '@preact/signals'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { TextArea } from '../parts/field.tsx'
import { useSaving } from '../parts/saving.ts'
import { reopen } from './talk-data.ts'
import { t } from './talk-texts.ts'

function ReopenDialog({ orderId, close }: { orderId: number; close: () => void }) {
  const text = useSignal('')
  const { isBusy, problem, error, isFilled, run } = useSaving(() => reopen(orderId, text.value.trim()), { fields: ['text'] })
  return (
    <Dialog title={t.reopenTitle} close={close}>
      <form
        class="form"
        noValidate
        onSubmit={async (event) => {
          event.preventDefault()
          if (isFilled(event.currentTarget) && (await run())) close()
        }}
      >
        <p class="quiet">{t.reopenHint}</p>
        <TextArea
          label={t.reopenText}
          hint={t.reopenTextHint}
          name="text"
          required
          rows={4}
          maxLength={2000}
          value={text.value}
          error={error('text')}
          onInput={(event) => (text.value = event.currentTarget.value)}
        />
        <p class="error" role="alert">
          {problem}
        </p>
        <Button kind="main" type="submit" isBusy={isBusy}>
          {t.reopen}
        </Button>
      </form>
    </Dialog>
  )
}

/** Lets the person who ordered say that a completed order was not solved. */
export function ReopenButton({ orderId }: { orderId: number }) {
  const isAsking = useSignal(false)
  return (
    <>
      <Button icon="undo-2" aria-haspopup="dialog" onClick={() => (isAsking.value = true)}>
        {t.notSolved}
      </Button>
      {isAsking.value && <ReopenDialog orderId={orderId} close={() => (isAsking.value = false)} />}
    </>
  )
}
