import './consequences.css'
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useId } from 'preact/hooks'
import { formatNumber, nameOf } from '../../../platform/language.ts'
import { t as formTexts } from '../../forms/form/texts.ts'
import type { FormState } from '../../forms/form/use-form.ts'
import { Avatar } from '../../show/avatar.tsx'
import { Button } from '../../show/button.tsx'
import { Icon, type IconName } from '../../show/icon.tsx'
import { Dialog } from '../dialog.tsx'
import { lineOf, type Sentence, sentencesOf, shownOf } from './sentences.ts'
import type { Gain, Impact } from './shapes.ts'
import { t } from './texts.ts'
import type { Foreseen } from './use-foreseen.ts'

const icons: Record<Sentence['kind'], IconName> = { lose: 'minus', gain: 'plus', warn: 'triangle-alert', keep: 'check', time: 'clock' }

/** A sentence with its isolated names in bold. */
export function SentenceText({ text }: { text: string }) {
  const parts = text.split(/\u2068([^\u2069]*)\u2069/)
  return (
    <>
      {parts.map((part, index) =>
        index % 2 ? (
          <bdi key={index}>
            <strong>{part}</strong>
          </bdi>
        ) : (
          part
        ),
      )}
    </>
  )
}

/** The consequences of saving, one sentence each. */
export const Sentences = ({ of }: { of: readonly Sentence[] }) => (
  <ul class="sentences">
    {of.map(({ kind, text }) => (
      <li key={text} data-kind={kind}>
        <Icon name={icons[kind]} size={18} />
        <span>
          <SentenceText text={text} />
        </span>
      </li>
    ))}
  </ul>
)

function People({ title, gains, count }: { title: string; gains: readonly Gain[]; count: number }) {
  if (count === 0) return null
  return (
    <section>
      <h3>
        {title} <span class="chip">{formatNumber(count)}</span>
      </h3>
      <ul class="gains">
        {gains.map((gain) => (
          <li key={gain.user.id}>
            <Avatar person={gain.user} size={32} />
            <span class="person">
              <bdi>{nameOf(gain.user)}</bdi>
              <span class="quiet small">{lineOf(gain)}</span>
            </span>
          </li>
        ))}
      </ul>
      {shownOf(gains.length, count) && <p class="quiet small">{shownOf(gains.length, count)}</p>}
    </section>
  )
}

/** A button that opens the full list of people who would lose or gain something. Renders nothing for three people or fewer. */
export function WholeList({ impact }: { impact: Impact }) {
  const isOpen = useSignal(false)
  const { loses, losesCount, gains, gainsCount } = impact
  if (losesCount + gainsCount <= 3) return null
  const close = () => {
    isOpen.value = false
  }
  return (
    <>
      <button
        type="button"
        class="link small"
        onClick={() => {
          isOpen.value = true
        }}
      >
        {t.all}
      </button>
      {isOpen.value && (
        <Dialog title={t.title} close={close}>
          <People title={t.allLose} gains={loses} count={losesCount} />
          <People title={t.allGain} gains={gains} count={gainsCount} />
        </Dialog>
      )}
    </>
  )
}

interface ConsequencesProps<V extends object> {
  of: Foreseen<V>
  form: FormState<V>
  /** The number of changes, for the button that discards them. */
  changes: number
  /** Whether a save is final. Otherwise the panel says that it can be undone. */
  isFinal?: boolean
  children?: ComponentChildren
}

/**
 * The consequences of saving a form, and a button that states the outcome: a panel beside the form on a wide page, a bar at the bottom on a
 * narrow one.
 */
export function Consequences<V extends object>({ of, form, changes, isFinal = false, children }: ConsequencesProps<V>) {
  const heading = useId()
  const details = useId()
  const isOpen = useSignal(false)
  const announced = useSignal('')
  const foresight = of.foresight.value
  const impact = 'impact' in foresight ? foresight.impact : undefined
  const said = of.said()
  const isChoosing = form.overlaps.some(({ chosen }) => !chosen)
  useEffect(() => {
    if (!said || foresight.state === 'nothing') return
    const timer = setTimeout(() => {
      announced.value = said
    }, 1000)
    return () => clearTimeout(timer)
  }, [said, foresight.state])
  if (!form.isChanged && !form.isBusy)
    return (
      <aside class="consequences" data-idle aria-labelledby={heading}>
        <h2 id={heading}>{t.title}</h2>
        <p class="quiet">{t.waiting}</p>
      </aside>
    )
  const isLast = impact?.lastAdmin
  return (
    <aside class="consequences" aria-labelledby={heading}>
      <div class="consequences-summary" data-open={isOpen.value || undefined}>
        <div class="consequences-head">
          <h2 id={heading}>{t.title}</h2>
          {impact && (
            <Button
              kind="plain"
              class="button consequences-more"
              icon="chevron-down"
              aria-label={t.details}
              aria-expanded={isOpen.value}
              aria-controls={details}
              onClick={() => {
                isOpen.value = !isOpen.value
              }}
            />
          )}
        </div>
        <div id={details} class="consequences-details" aria-busy={foresight.state === 'asking' || undefined}>
          {impact && <Sentences of={sentencesOf(impact)} />}
          {impact && <WholeList impact={impact} />}
          {foresight.state === 'asking' && !impact && <p class="quiet">{t.asking}</p>}
          {foresight.state === 'late' && <p class="quiet">{t.late}</p>}
          {foresight.state === 'failed' && <p class="quiet">{t.unknown}</p>}
          {children}
        </div>
      </div>
      <p class="error" role="alert">
        {isLast ? t.lastAdmin : form.problem}
      </p>
      <div class="consequences-acts">
        <Button
          kind="main"
          isBusy={form.isBusy || (!said && !isLast)}
          disabled={isChoosing || isLast}
          aria-keyshortcuts="Control+S"
          onClick={() => form.submit()}
        >
          {isChoosing ? formTexts.chooseFirst : (said ?? of.verb())}
        </Button>
        <Button kind="plain" onClick={form.discard}>
          {t.discard(changes)}
        </Button>
      </div>
      {!isFinal && <p class="quiet small consequences-undo">{t.undo}</p>}
      <p class="unseen" role="status">
        {announced}
      </p>
    </aside>
  )
}
