import './view.css'
import { useSignal } from '@preact/signals'
import { lazily } from '../../show/lazily.tsx'
import { t } from './view-texts.ts'

const AnswersOf = lazily(async () => (await import('./list.tsx')).AnswersOf)

/** The answers with which an order was placed, in a fold. They are fetched when it is first opened. */
export function FoldedAnswers({ orderId, isUnfolded = false }: { orderId: number; isUnfolded?: boolean }) {
  const isOpen = useSignal(isUnfolded)
  return (
    <details class="answers-folded" open={isUnfolded} onToggle={(event) => (isOpen.value = event.currentTarget.open)}>
      <summary>{t.answers}</summary>
      {isOpen.value && <AnswersOf orderId={orderId} />}
    </details>
  )
}
