import type { Webhook } from './data.ts'
import { t } from './texts.ts'

const kinds = { working: 'on', failing: 'danger', paused: 'warn' } as const

export const StateChip = ({ of: { state } }: { of: Webhook }) => (
  <span class="chip" data-kind={kinds[state]}>
    {t.states[state]}
  </span>
)
