import { ago } from '../../platform/ago.ts'
import { exactly } from '../../platform/dates.ts'

/** How long ago a moment was, with its exact time in both calendars as a tooltip. */
export const Moment = ({ at }: { at: string }) => (
  <time class="moment" dateTime={at} title={exactly(at)}>
    {ago(at)}
  </time>
)
