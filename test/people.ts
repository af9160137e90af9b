/** Makes people and sessions with the portal's code but without HTTP; the rows are the same as those of the endpoints. */

import type { Insertable } from 'kysely'
import { give } from '../server/access/grants/queries.ts'
import { startSession } from '../server/identity/sessions/queries.ts'
import { createPerson, findRole } from '../server/people/users/queries.ts'
import { cookieName } from '../server/platform/auth/session-cookie.ts'
import { changed } from '../server/platform/changes/outcome.ts'
import { refuse } from '../server/platform/errors/refusal.ts'
import type { Tables } from '../server/platform/tables.ts'
import { Client, PASSWORD } from './client.ts'
import type { Instance } from './portal.ts'

interface Named {
  id: number
  username: string
}
type Fields = Pick<Insertable<Tables['users']>, 'preferredLanguage' | 'displayNameAr' | 'displayNameEn'>
export interface PersonFields extends Fields {
  roles?: string[]
  groupIds?: number[]
}

/** Creates an account as `POST /users` and `POST /users/:id/roles` by `author` would. */
export async function addPerson({ transact, passwords }: Instance, author: Named, username: string, fields: PersonFields) {
  const { roles = [], groupIds: extraGroupIds = [], ...texts } = fields
  const person = { username, email: `${username}@example.org` }
  const passwordHash = await passwords.hash(PASSWORD)
  const id = await transact(
    author,
    async (tx) => {
      const { id, roleIds, groupIds } = await createPerson(
        tx,
        { ...person, ...texts, passwordHash, emailVouched: true },
        extraGroupIds,
        409,
      )
      return changed(id, { kind: 'user.created', targetId: id, facts: { ...person, roleIds, groupIds } })
    },
    { locks: 'access' },
  )
  for (const roleName of roles)
    await transact(
      author,
      async (tx) => {
        const { id: roleId } = (await findRole(tx, roleName)) ?? refuse('not_found')
        await give(tx, 'role', { userIds: [id], ids: [roleId] })
        return changed(null, { kind: 'user.role_added', targetId: id, facts: { roleId, roleName } })
      },
      { locks: 'access' },
    )
  return { id, username }
}

/** Starts a session as `POST /auth/login` would. */
export async function signedIn({ base, config, transact }: Instance, { id, username }: Named) {
  const from = { ip: '127.0.0.1', userAgent: 'node' }
  const token = await transact({ id, username }, async (tx) => {
    const started = await startSession(tx, id, from, config.sessionTtlDays)
    return changed(started, { kind: 'session.started', targetId: id, facts: { ip: from.ip } })
  })
  return Object.assign(new Client(base), { id, username, cookie: `${cookieName(config)}=${token}` })
}
