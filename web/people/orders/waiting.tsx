import { useMemo } from 'preact/hooks'
import { DateField } from '../../parts/forms/calendar/date-field.tsx'
import { TextArea } from '../../parts/forms/field.tsx'
import { useClosing, useSaving } from '../../parts/forms/saving.ts'
import { Dialog } from '../../parts/overlay/dialog.tsx'
import { Button } from '../../parts/show/button.tsx'
import { Icon } from '../../parts/show/icon.tsx'
import { Segments } from '../../parts/show/segments.tsx'
import { present, today } from '../../platform/ago.ts'
import { exactly, timeOfDay } from '../../platform/dates.ts'
import { draft } from '../../platform/drafts.ts'
import { Asking } from './asking.tsx'
import { isParty, type Order, type OrderDetails } from './data.ts'
import { letWait, resume, type Wait } from './talk-data.ts'
import { t } from './talk-texts.ts'
import { endOf, waitDays } from './wait-days.ts'

/** Says whom or what an order waits for, with a button for people who may end the wait. */
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

/** The typed values of a wait, which the device stores until the wait begins. */
interface Typed {
  whom: Wait['for']
  text: string
  day: string
}
const empty: Typed = { whom: 'requester', text: '', day: '' }

function WaitDialog({ order, close }: { order: Order; close: () => void }) {
  const kept = useMemo(() => draft(`wait:order:${order.id}`, empty), [order.id])
  const { whom, text, day } = kept.value.value ?? empty
  const now = today()
  const type = (change: Partial<Typed>) => {
    kept.value.value = { ...(kept.value.peek() ?? empty), ...change }
  }
  const closing = useClosing(close)
  const save = async () => {
    const sent = kept.value.peek() ?? empty
    const { whom, text, day } = sent
    await letWait(order.id, { for: whom, text: text.trim(), until: day ? endOf(day).toISOString() : null })
    if (await kept.drop(sent)) closing()
  }
  const { isBusy, problem, error, isFilled, run } = useSaving(save, { fields: ['text', 'until'] })
  return (
    <Dialog title={t.waitTitle} close={close} isUnsaved={() => false}>
      <form
        class="form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (isFilled(event.currentTarget)) run()
        }}
      >
        <p class="quiet">{t.waitHint}</p>
        <Segments
          label={t.waitFor}
          of={[
            ['requester', t.ofRequester],
            ['third_party', t.ofThirdParty],
          ]}
          value={whom}
          choose={(whom) => type({ whom })}
        />
        <TextArea
          label={t.waitText}
          hint={t.waitTextHint}
          name="text"
          required
          rows={3}
          maxLength={500}
          value={text}
          error={error('text')}
          onInput={(event) => type({ text: event.currentTarget.value })}
        />
        <DateField
          label={t.waitUntil}
          hint={t.waitEndsAt(timeOfDay(endOf(now)))}
          optional={t.optional}
          {...waitDays(now, present())}
          value={day}
          error={error('until')}
          change={(day) => type({ day })}
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

/** The button with which the assignee makes an order wait. */
export const WaitButton = ({ order, isOffered }: { order: Order; isOffered: boolean }) => (
  <Asking icon="hourglass" text={t.wait} isOffered={isOffered}>
    {(close) => <WaitDialog order={order} close={close} />}
  </Asking>
)
