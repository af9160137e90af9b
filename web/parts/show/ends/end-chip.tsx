import './ends.css'
import { exactly } from '../../../platform/dates.ts'
import { Icon } from '../icon.tsx'
import { isNear, remaining } from './ends.ts'

/** A chip that says when something ends, with the exact moment as a tooltip. Renders nothing without an end. */
export const EndChip = ({ at }: { at: string | null | undefined }) =>
  at ? (
    <time class="chip end-chip" data-kind={isNear(at) ? 'warn' : undefined} dateTime={at} title={exactly(at)}>
      <Icon name="clock" size={14} />
      {remaining(at)}
    </time>
  ) : null
