import { Moment } from '../../../parts/show/moment.tsx'
import type { Source } from './data.ts'
import { t } from './texts.ts'

/** When a source called last. `isAlone`: without the words “last call”, because a heading above says them. */
export const LastCall = ({ of: { lastCallAt }, isAlone = false }: { of: Source; isAlone?: boolean }) =>
  lastCallAt ? (
    <>
      {!isAlone && `${t.lastCall} `}
      <Moment at={lastCallAt} />
    </>
  ) : (
    <span>{t.neverCalled}</span>
  )
