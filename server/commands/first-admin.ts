/** The first administrator of a portal. */
import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import { record, unentitled } from '../lists/recording.ts'
import { createPerson } from '../people/users/queries.ts'
import { isAnyLastingAdministrator } from '../platform/auth/last-admin.ts'
import { openPasswords, type Passwords } from '../platform/auth/passwords.ts'
import { changed, unchanged } from '../platform/changes/outcome.ts'
import { type Transact, transactor } from '../platform/changes/transact.ts'
import type { Config } from '../platform/config.ts'
import { openDb, type Tx } from '../platform/database/db.ts'
import { Refusal } from '../platform/errors/refusal.ts'

/** Allows a slow database 30 s to accept connections. */
const PATIENCE = 15

/** Creates the first administrator when there is none. Returns the password if it was generated. */
export async function ensureAdmin(transact: Transact, passwords: Passwords, { admin }: Config) {
  const password = admin.password ?? randomBytes(12).toString('base64url')
  const create = async (tx: Tx) => {
    if (await isAnyLastingAdministrator(tx)) return unchanged(false)
    const { id: roleId } = await tx.selectFrom('roles').select('id').where('name', '=', 'admin').executeTakeFirstOrThrow()
    const passwordHash = await passwords.hash(password)
    const person = { username: admin.username, email: admin.email, passwordHash, emailVouched: true as const }
    const { id, roleIds, groupIds } = await createPerson(tx, person, [], 409)
    await tx.insertInto('directRoles').values({ userId: id, roleId }).execute()
    const facts = { username: admin.username, email: admin.email, roleIds: [...roleIds, roleId], groupIds }
    return changed(true, { kind: 'user.created', targetId: id, facts })
  }
  const created = await transact(null, create, { locks: 'access' })
  return created && !admin.password ? password : null
}

/** As `ensureAdmin`, before a portal is open on the database. Throws an error of one line if somebody else has the name. */
export async function ensureFirstAdmin(connection: pg.PoolConfig, config: Config) {
  const db = openDb(connection, { size: 1, patience: PATIENCE })
  const transact = transactor(db, record, unentitled, () => {})
  try {
    return await ensureAdmin(transact, openPasswords(), config)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { username, email } = config.admin
    throw new Error(`ADMIN_USERNAME, ADMIN_EMAIL: there is no active administrator, and ${username} or ${email} belongs to someone else`)
  } finally {
    await db.close()
  }
}
