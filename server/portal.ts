/** Opens the whole portal on a database: migrations, first administrator, jobs, events, server. */

import { randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import type { Logger } from 'pino'
import { migrate } from 'postgres-migrations'
import { changeKinds } from './changes.ts'
import { departures } from './departures.ts'
import { eventPayloads } from './events/shapes.ts'
import { endpoints } from './features.ts'
import { jobs, schedule } from './jobs.ts'
import { notices } from './notices.ts'
import { noticeWriter } from './notifications/notices.ts'
import { pagesAnswer } from './pages/answer.ts'
import type { BuiltPages } from './pages/built.ts'
import { activeAdministrators } from './platform/auth/last-admin.ts'
import { openLimits } from './platform/auth/limits.ts'
import { openPasswords, type Passwords } from './platform/auth/passwords.ts'
import { openSessions } from './platform/auth/sessions.ts'
import type { AnyKind, Author } from './platform/changes/change-kind.ts'
import { openDepartures, unentitledIn } from './platform/changes/departures.ts'
import { type Change, changed, unchanged } from './platform/changes/outcome.ts'
import { recorder } from './platform/changes/record.ts'
import { togetherTransactor } from './platform/changes/together.ts'
import { type Transact, transactor } from './platform/changes/transact.ts'
import type { Config } from './platform/config.ts'
import { withClient } from './platform/database/client.ts'
import { openDb, poolSize, type Tx } from './platform/database/db.ts'
import { openLeases } from './platform/database/leases.ts'
import { demandOwner, grantRights, type Identity, wayPastLocks } from './platform/database/roles.ts'
import { demandSuitable, excessiveRights, knowsLetters, LETTERS_UNKNOWN } from './platform/database/suitable.ts'
import { beginAnewAfterRestore } from './platform/events/event-log.ts'
import { openHub } from './platform/events/hub.ts'
import { longReplies } from './platform/http/long-replies.ts'
import { serve } from './platform/http/serve.ts'
import { migrateJobs, startJobs } from './platform/jobs/runner.ts'
import { openObjects } from './platform/objects/open.ts'
import { bareHost, openOutbound } from './platform/outbound.ts'
import { Refusal } from './platform/refusal.ts'
import { openSecurityLog } from './platform/security-log.ts'
import { openHandOver } from './push/hand-over.ts'
import { completeLooks } from './users/looks.ts'
import { createPerson } from './users/queries.ts'

const MIGRATIONS = fileURLToPath(new URL('migrations', import.meta.url))

/** Fails with one line on a database that a newer version has migrated. */
async function demandNotNewer(client: pg.Client) {
  if (!(await client.query(`select to_regclass('migrations')`)).rows[0].to_regclass) return
  const { rows } = await client.query<{ id: number; name: string }>('select id, name from migrations where id > 0 order by id desc limit 1')
  const last = rows[0]
  if (last && last.id > readdirSync(MIGRATIONS).length)
    throw new Error(`a newer version has migrated the database (${last.name}): start that version`)
}

/**
 * Migrates the database to this version's schema, one instance at a time. Fails with one line when the database is not suitable;
 * lesser problems go to `warn`.
 */
export async function migrateDb(owner: pg.PoolConfig, warn: (line: string) => void = () => {}) {
  await withClient(owner, async (client) => {
    await demandSuitable(client)
    await demandNotNewer(client)
    await migrate({ client }, MIGRATIONS)
    await completeLooks(client)
    if (!(await knowsLetters(client))) warn(LETTERS_UNKNOWN)
    if (await beginAnewAfterRestore(client)) warn('the database was restored from elsewhere: event streams begin anew')
  })
  await migrateJobs(owner)
}

/** The same as the owner of the schema, for a portal whose role owns nothing: it is then given its rights. */
export async function migrateFor(portal: Identity, owner: pg.PoolConfig, warn?: (line: string) => void) {
  await demandOwner(owner, portal)
  await migrateDb(owner, warn)
  await grantRights(owner, portal.role)
}

/** A warning if the portal's role may more than it should, otherwise undefined; `hasOwner` is whether the schema is meant to be another's. */
export const warningOf = (connection: pg.PoolConfig, hasOwner: boolean) =>
  withClient(connection, async (client) => (await excessiveRights(client)) ?? (hasOwner ? await wayPastLocks(client) : undefined))

/** Records every kind of change there is. */
export const record = recorder({ changeKinds, events: eventPayloads, writeNotices: noticeWriter(notices) })

/** Takes back what people hold and may hold no longer. */
export const unentitled = unentitledIn(departures)

/** Creates the first administrator when there is none. Returns the password if it was generated. */
export async function ensureAdmin(transact: Transact, passwords: Passwords, { admin }: Config) {
  const password = admin.password ?? randomBytes(12).toString('base64url')
  const create = async (tx: Tx) => {
    if (await activeAdministrators(tx).limit(1).executeTakeFirst()) return unchanged(false)
    const { id: roleId } = await tx.selectFrom('roles').select('id').where('name', '=', 'admin').executeTakeFirstOrThrow()
    const passwordHash = await passwords.hash(password)
    const { id, roleIds, groupIds } = await createPerson(tx, { username: admin.username, email: admin.email, passwordHash }, [], 409)
    await tx.insertInto('userRoles').values({ userId: id, roleId }).execute()
    const facts = { username: admin.username, email: admin.email, roleIds: [...roleIds, roleId], groupIds }
    return changed(true, { kind: 'user.created', targetId: id, facts })
  }
  const created = await transact(null, create, { changesAccess: true })
  return created && !admin.password ? password : null
}

/** The same, before a portal is open on the database. Fails with one line when someone else has the name. */
export async function ensureFirstAdmin(connection: pg.PoolConfig, config: Config) {
  const db = openDb(connection, { size: 1 })
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

const kinds: Record<string, AnyKind> = changeKinds
const securityEvents = new Set(Object.keys(kinds).filter((name) => kinds[name]!.isSecurityEvent))

/**
 * A portal on a migrated database, ready to listen; with its pages where they are given. `crontab` says when the regular jobs run.
 * `close` drains it: streams end, jobs finish, connections close.
 */
export async function openPortal(
  config: Config,
  connection: pg.PoolConfig,
  log: Logger,
  {
    passwords = openPasswords(),
    patience = 1,
    pages,
    crontab = schedule,
  }: { passwords?: Passwords; patience?: number; pages?: BuiltPages; crontab?: string } = {},
) {
  const db = openDb(connection, {
    size: poolSize(config.workers),
    patience,
    onError: (error) => log.warn({ cause: error.message }, 'a database connection was lost'),
  })
  const warn = (error: unknown) => log.warn({ cause: (error as Error).message }, 'the database did not answer')
  const sessions = openSessions(db, config.sessionTtlDays, warn)
  const limits = openLimits(db.pools.write, config.rateLimits)
  const hub = await openHub(db, warn)
  const leases = openLeases(connection, warn, patience)
  const objects = await openObjects(config)
  const handOver = openHandOver(db.writes, warn)
  const { value: logKey } = await db.reads.selectFrom('logKey').select('value').executeTakeFirstOrThrow()
  const security = openSecurityLog(log, logKey, securityEvents)
  const announce = (author: Author, changes: Change[]) => {
    hub.announce()
    handOver.wake()
    security.noteChanges(author, changes)
  }
  const transact = transactor(db, record, unentitled, announce)
  const transactTogether = togetherTransactor(db, record, announce)
  // Separate from pushes: people who choose a push endpoint must not reach the operator's internal addresses.
  const outbound = openOutbound({ internalHosts: config.versionFeedUrl ? [bareHost(new URL(config.versionFeedUrl).hostname)] : [] })
  const app = await serve(
    {
      config,
      db,
      sessions,
      passwords,
      departures: openDepartures(departures),
      limits,
      hub,
      leases,
      sendLong: longReplies(),
      transact,
      transactTogether,
      objects,
      outbound,
      log,
      security,
    },
    endpoints,
    pages && pagesAnswer(pages, config),
  )
  const pushOutbound = openOutbound({ internalHosts: config.pushInternalHosts })
  const runner = await startJobs({ jobs, schedule: crontab }, { db, config, log, transact, hub, limits, objects, outbound: pushOutbound })
  // Closed together: a running job may wait for an outbound answer.
  const stopJobs = async () => void (await Promise.all([runner.stop(), pushOutbound.close(), outbound.close()]))
  return {
    app,
    db,
    sessions,
    passwords,
    transact,
    transactTogether,
    hub,
    leases,
    objects,
    outbound,
    security,
    close: () => closeInOrder(app, [hub.close, handOver.close, stopJobs, sessions.close, objects.close, leases.close, db.close]),
  }
}

const PARTS_WITHIN_MS = 2000

/**
 * Stops accepting and ends streams first, so that the server can finish running requests before its parts close. A part that waits
 * for a hanging database is abandoned.
 */
async function closeInOrder(app: FastifyInstance, [endStreams, ...parts]: (() => Promise<void>)[]) {
  const drained = app.close()
  const ended = endStreams!()
  await drained
  const closeParts = async () => {
    await ended
    for (const part of parts) await part()
  }
  await Promise.race([closeParts(), sleep(PARTS_WITHIN_MS, undefined, { ref: false })])
}
