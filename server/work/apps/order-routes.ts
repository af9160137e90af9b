import { changed, unchanged } from '../../platform/changes/outcome.ts'
import { orderAll } from '../../platform/database/ordering.ts'
import { command } from '../../platform/http/endpoint.ts'
import { WholeOrder } from '../../platform/http/shape.ts'
import { readAllInOrder } from './queries.ts'
import { Apps } from './shapes.ts'

export const orderApps = command('PUT /admin/apps/order', {
  summary: 'Set the order of all apps, for people who have not set their own',
  description:
    'The body has the ids of all apps, each once; `sortOrder` numbers them from 1. Everyone gets `apps_changed`. Sending the current order changes nothing.',
  allow: 'admin',
  scope: 'admin:write',
  locks: 'texts',
  body: WholeOrder,
  reply: Apps,
  refuses: ['unknown_ids', 'missing_ids'],
  run: async ({ tx, body: { ids } }) => {
    const done = await orderAll(tx, 'apps', ids)
    const apps = await readAllInOrder(tx)
    if (!done) return unchanged(apps)
    const moved = done.moved.map((targetId) => ({ kind: 'app.moved', targetId, facts: {} }) as const)
    return changed(apps, { kind: 'app_order.changed', targetId: 0, facts: { changed: done.changed } }, ...moved)
  },
})
