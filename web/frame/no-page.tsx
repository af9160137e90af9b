import type { IconName } from '../parts/show/icon.tsx'
import { Message, ToHome } from './messages.tsx'
import { t } from './no-page-texts.ts'

const icons = { notFound: 'search', notAllowed: 'lock' } satisfies Record<string, IconName>
export type Why = keyof typeof icons

/** Says why there is no page at an address: `why` is one of `Why`. */
export default function NoPage({ params }: { params: Record<string, string> }) {
  const why = params['why'] as Why
  return (
    <Message icon={icons[why]} title={t[why]} hint={t[`${why}Hint`]}>
      <ToHome />
    </Message>
  )
}
