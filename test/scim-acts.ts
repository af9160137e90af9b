/** For each kind of change about sources that reaches people, an act that makes a change of this kind. */
import { type Change, changed } from '../server/platform/changes/outcome.ts'
import type { Client, TestPortal } from './portal.ts'
import { newSource } from './scim.ts'

export function scimActs(portal: TestPortal, her: () => Client & { id: number }) {
  const make = (change: Change) => portal.instance.transact(null, async () => changed(null, change))
  const person = { source: 'entra', personAr: 'هدى', personEn: 'Huda' }
  return {
    'source.created': () => newSource(portal),
    'source.updated': async () => portal.admin.patch(`/admin/provisioning/sources/${(await newSource(portal)).id}`, { invite: true }),
    'source.deleted': async () => portal.admin.send('DELETE', `/admin/provisioning/sources/${(await newSource(portal)).id}`),
    'source.held': () => make({ kind: 'source.held', targetId: 1, facts: { name: 'entra' } }),
    'source.announced': () => make({ kind: 'source.announced', targetId: 1, facts: { name: 'entra', news: 'silent' } }),
    'user.adopted': () => make({ kind: 'user.adopted', targetId: her().id, facts: { ...person, ofAdmin: true } }),
    'user.adoption_refused': () => make({ kind: 'user.adoption_refused', targetId: her().id, facts: person }),
    'group.admins_moved': () => make({ kind: 'group.admins_moved', targetId: 1, facts: { source: 'entra', name: 'Administrators' } }),
    'group.members_moved': () => make({ kind: 'group.members_moved', targetId: 1, facts: { added: [her().id], removed: [] } }),
  }
}
