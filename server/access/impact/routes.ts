import { UnknownPermissions } from '../../people/roles/shapes.ts'
import { mutex } from '../../platform/concurrency.ts'
import { query } from '../../platform/http/endpoint.ts'
import { previewChanges } from './queries.ts'
import { DeletionConflict, Impact, Plan } from './shapes.ts'

/** A page sends a preview with every edit. One person's previews wait for each other, and never for another person's. */
const inTurn = mutex<number>()

export const previewImpact = query('POST /admin/impact', {
  summary: 'Who would lose and gain which roles and apps by planned changes, and their other consequences',
  description:
    'This changes nothing. The changes apply in the given order: `set` has exact sets, `add` and `remove` have differences. It refuses what saving would refuse, except `last_admin`, which the answer reports as `lastAdmin`. Only active people count: a person who is deactivated or deleted loses every role and app. Every list has the first 50, next to the total number.',
  allow: 'admin',
  scope: 'admin:read',
  body: Plan,
  reply: Impact,
  refuses: [
    { code: 'not_found', body: UnknownPermissions },
    'unknown_ids',
    'cannot_deactivate_self',
    'cannot_delete_self',
    'system_group',
    'system_role',
    'system_role_permissions',
    'system_permission',
    'not_requestable',
    'grants_admin',
    'managed_elsewhere',
    { code: 'has_dependents', body: DeletionConflict },
  ],
  run: ({ db, actor, body: { changes } }) => inTurn(actor.id, () => previewChanges(db, actor, changes)),
})
