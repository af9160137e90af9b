import { useMemo } from 'preact/hooks'
import { differencesOf, type Entry, nameThen, otherOf } from '../../../parts/show/log/entries.ts'
import { goingBack, PutBackEntry } from '../../../parts/show/log/put-back.tsx'
import { invalidate } from '../../../platform/cache.ts'
import { inLanguage } from '../../../platform/language.ts'
import { isRevertible } from './revertible.ts'
import { reverting } from './reverting.ts'

/** The name of a record that an entry removed from a set. */
function nameOfMember(entry: Entry, id: number) {
  const set = differencesOf(entry).find((one) => 'of' in one && one.removed.includes(id))
  const name = nameThen(entry, set && 'of' in set ? { type: set.of, id } : (otherOf(entry) ?? { type: '', id: undefined }))
  return name && inLanguage(name.ar, name.en)
}

/** Reverts an entry after a preview. */
export function PutBack({ entry }: { entry: Entry }) {
  const { preview, run } = useMemo(() => reverting('audit', invalidate, (_, id) => nameOfMember(entry, id), entry), [entry])
  if (!isRevertible(entry.action)) return null
  return <PutBackEntry ask={async () => ({ ...(await preview(entry)), fields: goingBack(entry) })} run={() => run(entry)} />
}
