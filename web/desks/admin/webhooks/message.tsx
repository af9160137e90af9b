import { useClosing, useSaving } from '../../../parts/forms/saving.ts'
import { Dialog } from '../../../parts/overlay/dialog.tsx'
import { say } from '../../../parts/overlay/toasts.tsx'
import { Button } from '../../../parts/show/button.tsx'
import { Moment } from '../../../parts/show/moment.tsx'
import { Loaded } from '../../../parts/show/skeleton.tsx'
import { formatNumber } from '../../../platform/language.ts'
import { type Delivery, deliveryOf, replay } from './data.ts'
import { t } from './texts.ts'

/** The JSON with line breaks, which the sent message does not have. */
const readable = (body: string) => JSON.stringify(JSON.parse(body), null, 2)

/** One message as it was sent, its outcome, and a button that sends it again. */
export function Message({ id, delivery, close }: { id: number; delivery: Delivery; close: () => void }) {
  const { sequence, part, type } = delivery
  const message = deliveryOf(id, sequence, part)
  const closing = useClosing(close)
  const again = useSaving(async () => {
    const count = await replay(id, { sequences: [sequence] })
    say({ text: t.replayed(count) })
    closing()
  })
  return (
    <Dialog
      title={t.types[type]}
      close={close}
      end={
        <>
          <Button kind="plain" onClick={close}>
            {t.close}
          </Button>
          <Button isBusy={again.isBusy} onClick={() => again.run()}>
            {t.sendAgain}
          </Button>
        </>
      }
    >
      <Loaded of={message}>
        {(sent) => (
          <div class="webhooks-sent">
            <dl>
              <dt>{t.id}</dt>
              <dd>
                <code dir="ltr">{sent.messageId}</code>
              </dd>
              <dt>{t.heads.state}</dt>
              <dd>
                {t.deliveryStates[sent.state]}
                {sent.tries > 0 && ` · ${t.tries(sent.tries)}`}
              </dd>
              {sent.lastError && sent.state !== 'delivered' && (
                <>
                  <dt>{t.lastTry}</dt>
                  <dd>{sent.lastError === 'status' ? t.answered(sent.lastStatus ?? 0) : t.errors[sent.lastError]}</dd>
                </>
              )}
              {sent.state === 'delivered' && sent.lastMs !== null && (
                <>
                  <dt>{t.took}</dt>
                  <dd>{t.ms(formatNumber(sent.lastMs))}</dd>
                </>
              )}
              {sent.nextAt && (
                <>
                  <dt>{t.nextTry}</dt>
                  <dd>
                    <Moment at={sent.nextAt} />
                  </dd>
                </>
              )}
            </dl>
            <p class="quiet small">{t.body}</p>
            <pre class="webhooks-body" dir="ltr">
              {readable(sent.body)}
            </pre>
          </div>
        )}
      </Loaded>
      <p class="error" role="alert">
        {again.problem}
      </p>
    </Dialog>
  )
}
