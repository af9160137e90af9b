import { Moment } from '../../parts/moment.tsx'
import type { Source } from './data.ts'
import { t } from './texts.ts'

/** When a source called last; `isAlone` below a head that says so. */
export const LastCall = ({ of: { lastCallAt }, isAlone = false }: { of: Source; isAlone?: boolean }) =>
  lastCallAt ? (
    <>
      {!isAlone && `${t.lastCall} `}
      <Moment at={lastCallAt} />
    </>
  ) : (
    <span>{t.neverCalled}</span>
  )
