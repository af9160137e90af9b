import { Moment } from '../../../../parts/show/moment.tsx'
import { present } from '../../../../platform/ago.ts'
import { t } from './texts.ts'

const HOUR_MS = 3_600_000

/** When a person was last seen. The portal records the time only to the hour. */
export function Seen({ at }: { at: string | null }) {
  const isNow = at && present().getTime() - Date.parse(at) < HOUR_MS
  return at && !isNow ? <Moment at={at} /> : <span>{at ? t.lately : t.never}</span>
}
