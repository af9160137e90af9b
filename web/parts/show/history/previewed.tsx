import './previewed.css'
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { Sentences, SentenceText, WholeList } from '../../overlay/consequences/consequences.tsx'
import { outcomeOf, sentencesOf } from '../../overlay/consequences/sentences.ts'
import type { Impact } from '../../overlay/consequences/shapes.ts'
import { Button } from '../button.tsx'
import { meaningOf, report } from '../failures.ts'
import type { IconName } from '../icon.tsx'
import { t } from './texts.ts'

export interface Preview {
  /** The gains and losses of people, if access changes. */
  impact?: Impact
  /** The fields that change, each with its old and new value. */
  fields?: readonly string[]
  /** Later changes that the action would overwrite, one sentence each. */
  overwrites?: readonly string[]
  /** Grants that have expired and do not return. */
  ended?: readonly string[]
}

interface PreviewedProps {
  title: string
  ask: () => Promise<Preview>
  /** Performs the action; the panel shows its errors. */
  run: () => Promise<unknown>
  /** The verb on the button before the outcome. */
  verb: string
  icon?: IconName
  close: () => void
}

/** A panel that previews an action, with a button that states the outcome and performs it. */
export function Previewed({ title, ask, run, verb, icon, close }: PreviewedProps) {
  const box = useRef<HTMLElement>(null)
  const preview = useSignal<Preview | undefined>(undefined)
  const problem = useSignal('')
  const isBusy = useSignal(false)
  const isTicked = useSignal(false)
  const fail = (failure: unknown) => {
    report(failure)
    problem.value = meaningOf(failure)
  }
  useEffect(() => {
    // The button that opened the panel had the focus and may be gone, so the panel takes the focus.
    box.current?.focus()
    ask().then((found) => {
      preview.value = found
    }, fail)
  }, [])
  const isKnown = preview.value !== undefined
  const { impact, fields = [], overwrites = [], ended = [] } = preview.value ?? {}
  async function act() {
    isBusy.value = true
    problem.value = ''
    await run().then(close, fail)
    isBusy.value = false
  }
  return (
    <section ref={box} class="previewed" aria-label={title} tabIndex={-1}>
      <h3>{title}</h3>
      <div aria-live="polite">
        {fields.map((text) => (
          <p key={text}>
            <SentenceText text={text} />
          </p>
        ))}
        {impact && <Sentences of={sentencesOf(impact)} />}
        {!isKnown && !problem.value && <p class="quiet">{t.asking}</p>}
        {ended.length > 0 && <p class="quiet small">{t.ended(ended.join(t.comma))}</p>}
        {overwrites.map((text) => (
          <p key={text}>
            <SentenceText text={text} />
          </p>
        ))}
        <p class={isKnown ? 'error' : 'quiet'}>{problem}</p>
      </div>
      {impact && <WholeList impact={impact} />}
      {overwrites.length > 0 && (
        <label class="previewed-tick">
          <input
            type="checkbox"
            checked={isTicked.value}
            onChange={(event) => {
              isTicked.value = event.currentTarget.checked
            }}
          />
          {t.overwrites}
        </label>
      )}
      <div class="previewed-acts">
        {isKnown && (
          <Button
            kind="main"
            icon={icon}
            isBusy={isBusy.value}
            disabled={impact?.lastAdmin || (overwrites.length > 0 && !isTicked.value)}
            onClick={act}
          >
            {impact ? outcomeOf(impact, verb) : verb}
          </Button>
        )}
        <Button kind="plain" onClick={close}>
          {t.notNow}
        </Button>
      </div>
      {impact?.lastAdmin && <p class="error">{t.lastAdmin}</p>}
    </section>
  )
}
