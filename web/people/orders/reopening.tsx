import { useMemo } from 'preact/hooks'
import { TextArea } from '../../parts/forms/field.tsx'
import { useClosing, useSaving } from '../../parts/forms/saving.ts'
import { Dialog } from '../../parts/overlay/dialog.tsx'
import { Button } from '../../parts/show/button.tsx'
import { draft } from '../../platform/drafts.ts'
import { Asking } from './asking.tsx'
import { reopen } from './talk-data.ts'
import { t } from './talk-texts.ts'

function ReopenDialog({ orderId, close }: { orderId: number; close: () => void }) {
  const kept = useMemo(() => draft(`reopen:order:${orderId}`, ''), [orderId])
  const closing = useClosing(close)
  const save = async () => {
    const sent = kept.value.peek() ?? ''
    await reopen(orderId, sent.trim())
    if (await kept.drop(sent)) closing()
  }
  const { isBusy, problem, error, isFilled, run } = useSaving(save, { fields: ['text'] })
  return (
    <Dialog title={t.reopenTitle} close={close} isUnsaved={() => false}>
      <form
        class="form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (isFilled(event.currentTarget)) run()
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
          value={kept.value.value ?? ''}
          error={error('text')}
          onInput={(event) => (kept.value.value = event.currentTarget.value)}
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
export const ReopenButton = ({ orderId, isOffered }: { orderId: number; isOffered: boolean }) => (
  <Asking icon="undo-2" text={t.notSolved} isOffered={isOffered}>
    {(close) => <ReopenDialog orderId={orderId} close={close} />}
  </Asking>
)
