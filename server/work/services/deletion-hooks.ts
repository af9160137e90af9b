import { deletionHook } from '../../platform/changes/deletion-hooks.ts'
import { findServicesForOnly } from './handlings.ts'

export const serviceDeletionHooks = [
  deletionHook({
    of: 'groups',
    columns: ['service_handlings.on_behalf_group_ids', 'service_handlings.steps'],
    stays: 'no reading shows it, it counts as nobody, and it comes back when its deletion is undone',
  }),
  deletionHook({ of: 'users', columns: ['service_handlings.steps'], stays: 'as an approver they count as nobody' }),
  deletionHook({
    of: 'groups',
    columns: ['service_handlings.audience_group_ids'],
    stays: 'no reading shows it, it counts as nobody, and it comes back when its deletion is undone',
    async leaves(tx, id) {
      const services = await findServicesForOnly(tx, id)
      return services.map(({ id: targetId, ...facts }) => ({ kind: 'service.audience_emptied', targetId, facts }) as const)
    },
  }),
]
