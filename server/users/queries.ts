import { brokenUnique, type Reads, type Tx } from '../platform/db.ts'
import { refuse } from '../platform/refusal.ts'
import type { Language } from '../tables.ts'

export interface NewPerson {
  username: string
  email: string
  passwordHash: string
  displayNameAr?: string | null
  displayNameEn?: string | null
  preferredLanguage?: Language
}

/** The group every user is in. */
export const everyoneId = async (db: Reads) =>
  (await db.selectFrom('groups').select('id').where('isSystem', '=', true).orderBy('id').limit(1).executeTakeFirstOrThrow()).id

/**
 * A new person with the role `user` and the group Everyone besides `groupIds`, which must exist. Refuses `username_taken` and
 * `email_taken` with the given status.
 */
export async function createPerson(tx: Tx, person: NewPerson, groupIds: number[], takenStatus: 400 | 409) {
  const { id } = await tx
    .insertInto('users')
    .values(person)
    .returning('id')
    .executeTakeFirstOrThrow()
    .catch((error) => {
      const broken = brokenUnique(error)
      if (broken === 'username_taken' || broken === 'email_taken') return refuse(broken, { status: takenStatus })
      throw error
    })
  const { id: roleId } = await tx.selectFrom('roles').select('id').where('name', '=', 'user').executeTakeFirstOrThrow()
  const memberships = [...new Set([await everyoneId(tx), ...groupIds])]
  await tx.insertInto('userRoles').values({ userId: id, roleId }).execute()
  await tx
    .insertInto('groupUsers')
    .values(memberships.map((groupId) => ({ groupId, userId: id })))
    .execute()
  return { id, roleIds: [roleId], groupIds: memberships }
}
