/** For each kind of change of webhooks and of the audit stream, an act that makes a change of this kind. No webhook is ever called. */
import { type Change, changed } from '../server/platform/changes/outcome.ts'
import type { TestPortal } from './portal.ts'

export function webhookActs(portal: TestPortal) {
  const make = (change: Change) => portal.instance.transact(null, async () => changed(null, change))
  const paused = async () => {
    const hook = { name: 'Stock', url: 'https://stock.example.org/', types: ['webhook.test'], isActive: false }
    return (await portal.admin.post('/webhooks', hook)).body.id as number
  }
  return {
    'webhook.created': paused,
    'webhook.updated': async () => portal.admin.patch(`/webhooks/${await paused()}`, { name: 'Other' }),
    'webhook.deleted': async () => portal.admin.delete(`/webhooks/${await paused()}`),
    'webhook.secret_rotated': async () => portal.admin.post(`/webhooks/${await paused()}/rotate-secret`, {}),
    'webhook.paused': async () => {
      const id = await paused()
      await portal.admin.patch(`/webhooks/${id}`, { isActive: true })
      await portal.admin.patch(`/webhooks/${id}`, { isActive: false })
    },
    'webhook.replayed': async () => {
      const id = await paused()
      await portal.sql(
        `insert into webhook_deliveries (webhook_id, sequence, part, type, body, event_at) values ($1, 1, 1, 'webhook.test', '{}', now())`,
        [id],
      )
      await portal.admin.post(`/webhooks/${id}/replay`, { sequences: [1] })
    },
    'webhook.tested': async () => make({ kind: 'webhook.tested', targetId: await paused(), facts: { name: 'Stock' } }),
    'webhook.announced': () => make({ kind: 'webhook.announced', targetId: 1, facts: { name: 'Stock', news: 'hour', makerId: null } }),
    'audit_stream.announced': () => make({ kind: 'audit_stream.announced', targetId: 0, facts: { news: 'behind' } }),
    'audit_stream.sent': () => make({ kind: 'audit_stream.sent', targetId: 0, facts: {} }),
    'webhook.sent': () => make({ kind: 'webhook.sent', targetId: 1, facts: {} }),
  }
}
