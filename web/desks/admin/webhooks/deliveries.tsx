import { useSignal } from '@preact/signals'
import { SelectField } from '../../../parts/forms/field.tsx'
import { usePages } from '../../../parts/lists/pages.tsx'
import { Menu } from '../../../parts/overlay/menu.tsx'
import { say } from '../../../parts/overlay/toasts.tsx'
import { Button } from '../../../parts/show/button.tsx'
import { attempt } from '../../../parts/show/failures.ts'
import { Moment } from '../../../parts/show/moment.tsx'
import { Section } from '../../../parts/show/section.tsx'
import { Segments } from '../../../parts/show/segments.tsx'
import { Loaded } from '../../../parts/show/skeleton.tsx'
import { present } from '../../../platform/ago.ts'
import { queryValue, setQuery } from '../../../platform/router.ts'
import { type Delivery, deliveriesOf, type Filter, replay, type State, sendTest, type Type, type Webhook } from './data.ts'
import { Message } from './message.tsx'
import { t } from './texts.ts'

const states: State[] = ['waiting', 'delivered', 'dead']
const types = Object.keys(t.types) as Type[]
const HOUR_MS = 3_600_000
const spans = { hour: HOUR_MS, day: 24 * HOUR_MS, week: 7 * 24 * HOUR_MS } as const

/** The last messages of a webhook, with buttons that send a test message and send messages again. */
export function Deliveries({ webhook: { id, isActive } }: { webhook: Webhook }) {
  const asked = queryValue('state')
  const state = states.find((one) => one === asked)
  const askedType = queryValue('type')
  const type = types.find((one) => one === askedType)
  const again = async (ms: number) => {
    const now = present().getTime()
    const span = { from: new Date(now - ms).toISOString(), to: new Date(now).toISOString() }
    await attempt(replay(id, span).then((count) => say({ text: t.replayed(count) })))
  }
  return (
    <Section name="messages" title={t.messages} hint={t.messagesHint}>
      <div class="webhooks-acts">
        {isActive && (
          <Button
            icon="send"
            onClick={async () => {
              if (await attempt(sendTest(id))) say({ text: t.tested })
            }}
          >
            {t.test}
          </Button>
        )}
        <Menu
          label={t.replay}
          face={t.replay}
          items={(Object.keys(spans) as (keyof typeof spans)[]).map((span) => ({
            text: t.spans[span],
            run: () => void again(spans[span]),
          }))}
        />
      </div>
      <Segments<State | 'all'>
        label={t.show}
        of={[['all', t.all], ...states.map((one) => [one, t.deliveryStates[one]] as const)]}
        value={state ?? 'all'}
        choose={(chosen) => setQuery({ state: chosen === 'all' ? '' : chosen })}
      />
      <SelectField
        label={t.type}
        value={type ?? 'all'}
        choices={[{ value: 'all', text: t.allTypes }, ...types.map((value) => ({ value, text: t.types[value] }))]}
        choose={(chosen) => setQuery({ type: chosen === 'all' ? '' : chosen })}
      />
      <List key={`${state} ${type}`} id={id} filter={{ state, type }} />
    </Section>
  )
}

const keyOf = ({ sequence, part }: Delivery) => `${sequence}.${part}`
const kinds = { waiting: 'warn', delivered: 'on', dead: 'danger' } as const

function List({ id, filter }: { id: number; filter: Filter }) {
  const opened = useSignal<Delivery | undefined>(undefined)
  const { first, rows, more } = usePages({
    of: (offset) => deliveriesOf(id, filter, offset),
    rows: ({ deliveries }) => deliveries,
    id: keyOf,
  })
  return (
    <Loaded of={first}>
      {({ totalCount }) =>
        totalCount === 0 ? (
          <p class="quiet">{filter.state || filter.type ? t.noneSuch : t.noMessages}</p>
        ) : (
          <>
            <ul class="webhooks-messages">
              {rows.map((delivery) => (
                <li key={keyOf(delivery)}>
                  <button type="button" class="webhooks-message" onClick={() => (opened.value = delivery)}>
                    <span>{t.types[delivery.type]}</span>
                    <span class="chip" data-kind={delivery.state === 'waiting' && delivery.tries === 0 ? undefined : kinds[delivery.state]}>
                      {t.deliveryStates[delivery.state]}
                    </span>
                    <span class="quiet small">
                      <Moment at={delivery.eventAt} />
                      {delivery.tries > 1 && ` · ${t.tries(delivery.tries)}`}
                      {delivery.state !== 'delivered' && delivery.lastError && ` · ${whyOf(delivery)}`}
                    </span>
                  </button>
                </li>
              ))}
            </ul>
            {more}
            {opened.value && <Message id={id} delivery={opened.value} close={() => (opened.value = undefined)} />}
          </>
        )
      }
    </Loaded>
  )
}

/** Why the last try failed, in a few words. */
const whyOf = ({ lastError, lastStatus }: Delivery) =>
  lastError === 'status' ? t.status(lastStatus ?? 0) : lastError ? t.shortErrors[lastError] : ''
