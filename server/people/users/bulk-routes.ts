import type { Static } from 'typebox'
import { changedIf } from '../../platform/changes/outcome.ts'
import { concernsAccess } from '../../platform/changes/texts.ts'
import type { Tx } from '../../platform/database/db.ts'
import { lockExisting } from '../../platform/database/sets.ts'
import { Refusal, refuseField } from '../../platform/errors/refusal.ts'
import { command } from '../../platform/http/endpoint.ts'
import { verdictOf } from '../../platform/http/verdicts.ts'
import type { Language } from '../../platform/tables.ts'
import { userChanges } from './changes.ts'
import { changePeople } from './changing.ts'
import { findPeople } from './lists.ts'
import { findRole, lockPeople } from './queries.ts'
import { checkUsersChange } from './rules.ts'
import { MOST_CHANGED, UsersChange, UsersChanged } from './shapes.ts'

type BulkChange = Static<typeof UsersChange>

/** The roles with these names. With `field`, an unknown name is refused as an error of that field; otherwise it is ignored. */
async function findRoles(tx: Tx, names: readonly string[], field?: string) {
  const found = new Map<number, { id: number; name: string }>()
  for (const [place, name] of names.entries()) {
    const role = await findRole(tx, name)
    if (role) found.set(role.id, role)
    else if (field) refuseField(`${field}.${place}`, 'exists')
  }
  return [...found.values()]
}

/** The ids of the people to change, without repetition. */
async function idsAsked(tx: Tx, { ids, filter }: BulkChange, language: Language) {
  if (ids) return [...new Set(ids)]
  const found = await findPeople(tx, { ...filter, limit: MOST_CHANGED + 1 }, language)
  return found.length > MOST_CHANGED ? refuseField('filter', 'maxItems', { limit: MOST_CHANGED }) : found
}

export const changeUsers = command('POST /users/bulk-change', {
  summary: 'Change many people at once, each with a verdict',
  description:
    'Takes either `ids`, or a `filter` with the query of `GET /users`; 5,000 people at most. Each change is recorded and has its effects as if it were made alone: people who are deactivated are signed out, and their orders return to the queue. If one change is refused, the others are still made.',
  allow: 'admin',
  scope: 'admin:write',
  locks: { when: ({ body }) => (concernsAccess(userChanges['user.updated'], body.set) ? 'access' : 'texts') },
  body: UsersChange,
  reply: UsersChanged,
  refuses: ['unknown_ids'],
  run: async ({ tx, actor, body, deletionHooks }) => {
    checkUsersChange(body)
    const { addGroupIds = [], removeGroupIds = [], addRoleNames = [], removeRoleNames = [], ...fields } = body.set
    const ids = await idsAsked(tx, body, actor.language)
    await lockExisting(tx, 'groups', addGroupIds)
    const groups = { added: addGroupIds, removed: removeGroupIds }
    const roles = { added: await findRoles(tx, addRoleNames, 'set.addRoleNames'), removed: await findRoles(tx, removeRoleNames) }
    const people = await lockPeople(tx, ids, concernsAccess(userChanges['user.updated'], body.set) ? 'rights' : 'texts')
    const isRefusedSelf = (id: number) => id === actor.id && fields.isActive === false
    const some = ids.flatMap((id) => (isRefusedSelf(id) ? [] : (people.get(id) ?? [])))
    const { changes, refused } = await changePeople(tx, some, { ...fields, groups, roles }, deletionHooks('users'))

    const reply: Static<typeof UsersChanged> = { doneIds: [], changedIds: [], failed: [] }
    for (const id of ids) {
      const own = changes.get(id)
      if (own) {
        reply.doneIds.push(id)
        if (own.length) reply.changedIds.push(id)
      } else {
        const refusal = refused.get(id) ?? new Refusal(isRefusedSelf(id) ? 'cannot_deactivate_self' : 'not_found')
        reply.failed.push({ id, ...verdictOf(refusal) })
      }
    }
    return changedIf(reply, [...changes.values()].flat())
  },
})
