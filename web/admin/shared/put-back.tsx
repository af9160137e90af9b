import { useMemo } from 'preact/hooks'
import type { Entry } from '../../parts/log/entries.ts'
import { goingBack, PutBackEntry } from '../../parts/log/put-back.tsx'
import { invalidate } from '../../platform/cache.ts'
import { reverting } from './reverting.ts'

/** Whether the portal can revert an action: it reverts changes of fields and sets, not creations or deletions. */
const canPutBack = ({ action }: Entry) => /^(?!note|auth).*\.(update|add|remove|replace)$/.test(action)

/** Reverts an entry after a preview. */
export function PutBack({ entry }: { entry: Entry }) {
  const { preview, run } = useMemo(() => reverting('audit', invalidate), [])
  if (!canPutBack(entry)) return null
  return <PutBackEntry ask={async () => ({ ...(await preview(entry)), fields: goingBack(entry) })} run={() => run(entry)} />
}
