import { Moment } from '../../parts/moment.tsx'
import type { Source } from './data.ts'
import { t } from './texts.ts'

/** When a source called last. */
export const LastCall = ({ of: { lastCallAt } }: { of: Source }) =>
  lastCallAt ? (
    <>
      {t.lastCall} <Moment at={lastCallAt} />
    </>
  ) : (
    <span>{t.neverCalled}</span>
  )
