import { ago, exactly } from '../platform/dates.ts'

/** How long ago a moment was, with the exact one in both calendars beneath. */
export const Moment = ({ at }: { at: string }) => (
  <time class="moment" dateTime={at} title={exactly(at)}>
    {ago(at)}
  </time>
)
