import { useSignal } from '@preact/signals'
import { Button } from '../parts/button.tsx'
import { DateField } from '../parts/calendar/date-field.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { TextArea } from '../parts/field.tsx'
import { Icon } from '../parts/icon.tsx'
import { useSaving } from '../parts/saving.ts'
import { Segments } from '../parts/segments.tsx'
import { exactly } from '../platform/dates.ts'
import { isParty, type Order, type OrderDetails } from './data.ts'
import { letWait, resume, type Wait } from './talk-data.ts'
import { t } from './talk-texts.ts'

/** The hour of the day on which a wait ends. */
const END = '08:00'

/** Says that an order waits, for whom and for what, and lets those end it who may. */
export function Waiting({ order, details: { waiting, may, beneficiary } }: { order: Order; details: OrderDetails }) {
  const { isBusy, problem, run } = useSaving(() => resume(order.id))
  if (!waiting) return null
  const isForMe = waiting.for === 'requester' && isParty(order, beneficiary)
  return (
    <div class="orders-waiting" role="status">
      <Icon name="hourglass" />
      <div>
        <p>
          <strong>{isForMe ? t.waiting.forYou : t.waiting[waiting.for]}</strong>{' '}
          {waiting.until && <span class="small">{t.until(exactly(waiting.until))}</span>}
        </p>
        <p class="orders-text" dir="auto">
          {waiting.text}
        </p>
        <p class="error small" role="alert">
          {problem}
        </p>
      </div>
      {may.includes('resume') && (
        <Button isBusy={isBusy} onClick={() => run()}>
          {t.resume}
        </Button>
      )}
    </div>
  )
}

function WaitDialog({ order, close }: { order: Order; close: () => void }) {
  const whom = useSignal<Wait['for']>('requester')
  const text = useSignal('')
  const day = useSignal('')
  const { isBusy, problem, error, isFilled, run } = useSaving(
    () =>
      letWait(order.id, {
        for: whom.value,
        text: text.value.trim(),
        until: day.value ? new Date(`${day.value}T${END}`).toISOString() : null,
      }),
    { fields: ['text', 'until'] },
  )
  return (
    <Dialog title={t.waitTitle} close={close}>
      <form
        class="form"
        onSubmit={async (event) => {
          event.preventDefault()
          if (isFilled(event.currentTarget) && (await run())) close()
        }}
      >
        <p class="quiet">{t.waitHint}</p>
        <Segments
          label={t.waitFor}
          of={[
            ['requester', t.ofRequester],
            ['third_party', t.ofThirdParty],
          ]}
          value={whom.value}
          choose={(next) => {
            whom.value = next
          }}
        />
        <TextArea
          label={t.waitText}
          hint={t.waitTextHint}
          name="text"
          required
          rows={3}
          maxLength={500}
          value={text.value}
          error={error('text')}
          onInput={(event) => (text.value = event.currentTarget.value)}
        />
        <DateField
          label={t.waitUntil}
          optional={t.optional}
          value={day.value}
          error={error('until')}
          change={(next) => {
            day.value = next
          }}
        />
        <p class="error" role="alert">
          {problem}
        </p>
        <Button kind="main" type="submit" isBusy={isBusy}>
          {t.wait}
        </Button>
      </form>
    </Dialog>
  )
}

/** Lets an order wait; for its assignee. */
export function WaitButton({ order }: { order: Order }) {
  const isAsking = useSignal(false)
  return (
    <>
      <Button icon="hourglass" aria-haspopup="dialog" onClick={() => (isAsking.value = true)}>
        {t.wait}
      </Button>
      {isAsking.value && <WaitDialog order={order} close={() => (isAsking.value = false)} />}
    </>
  )
}
