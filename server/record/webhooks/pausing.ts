import type { Change } from '../../platform/changes/outcome.ts'
import type { Tx } from '../../platform/database/db.ts'
import { pause } from './queries.ts'

interface Named {
  id: number
  name: string
  createdBy: number | null
}

/** Pauses a webhook automatically. Returns the changes, which also announce the pause. */
export async function pauseFor(tx: Tx, { id, name, createdBy }: Named, because: 'failures' | 'gone' | 'no_secret'): Promise<Change[]> {
  if (!(await pause(tx, id, because))) return []
  return [
    { kind: 'webhook.paused', targetId: id, facts: { name, because } },
    { kind: 'webhook.announced', targetId: id, facts: { name, news: because === 'failures' ? 'paused' : because, makerId: createdBy } },
  ]
}
