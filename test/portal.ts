/** A complete portal for tests, on its own database, called over HTTP, and the traces of each call. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before } from 'node:test'
import pg from 'pg'
import pino from 'pino'
import { ensureAdmin } from '../server/commands/first-admin.ts'
import { openPasswords, type Passwords } from '../server/platform/auth/passwords.ts'
import { type Config, readConfig, settlePort } from '../server/platform/config.ts'
import { openPortal } from '../server/portal.ts'
import type { BuiltPages } from '../server/site/pages/built.ts'
import { Client, until } from './client.ts'
import { addPerson, type PersonFields, signedIn } from './people.ts'
import { portalRole, sharedFolder, TEMPLATE } from './setup.ts'

export { type Answer, Client, PASSWORD, until, untilClosed } from './client.ts'

export const ADMIN_PASSWORD = 'correct horse'

interface Traces {
  audit: { action: string; type: string; target: number; metadata: Record<string, unknown> }[]
  histories: { kind: string; target: number; added: number[]; removed: number[] }[]
  notices: { user: number; type: string; titleEn: string }[]
  events: { event: string; data: unknown; to: number[] | null }[]
}
const server = () => JSON.parse(process.env['TEST_POSTGRES']!) as pg.ClientConfig
/** Runs a statement on the tests' server. */
export async function onServer(statement: string) {
  const client = new pg.Client(server())
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

/** Drops a database. Retries while an autovacuum worker is connected to it, because only a superuser may terminate such a worker. */
export const dropDatabase = (database: string) =>
  until(`${database} is dropped`, async () => {
    try {
      await onServer(`drop database if exists ${database} (force)`)
      return true
    } catch (failure) {
      if ((failure as pg.DatabaseError).code !== '42501') throw failure
      return false
    }
  })

/** Copies the template database file by file, which takes half the time of writing its blocks to the WAL. */
export const copyTemplate = (database: string) => onServer(`create database ${database} template ${TEMPLATE} strategy file_copy`)

let clones = 0

export async function cloneDatabase() {
  const database = `bawaba_test_${process.pid}_${clones++}`
  await copyTemplate(database)
  return { connection: { ...server(), database } as pg.PoolConfig, drop: () => dropDatabase(database) }
}

export const quiet = pino({ level: process.env['TEST_LOG'] ?? 'silent' })

/** The cheapest parameters of argon2; few tests are about the cost of passwords. */
const cheap = openPasswords({ memoryCost: 8, timeCost: 1, parallelism: 1 })

/** The factor by which tests wait longer for the database and for other servers, because the machine may be busy. */
export const PATIENCE = 15

/** The folder of the stored objects of a test file’s portals; the run removes it at its end. */
const dataFolder = () => join(sharedFolder(), `data-${process.pid}`)

/**
 * An instance of the portal, on a free port unless `env` has one. It connects as `portalRole()` or, if that is null, as the owner of the
 * database. Regular jobs run only when a test adds them.
 */
export async function openInstance(
  connection: pg.PoolConfig,
  env: Record<string, string> = {},
  log = quiet,
  { passwords = cheap, pages }: { passwords?: Passwords; pages?: BuiltPages } = {},
) {
  const config: Config = readConfig({ RATE_LIMITS: 'off', ADMIN_PASSWORD, LOG_LEVEL: 'silent', DATA_DIR: dataFolder(), ...env })
  const portal = await openPortal(config, { ...connection, ...portalRole() }, log, { passwords, patience: PATIENCE, pages, crontab: '' })
  try {
    await ensureAdmin(portal.transact, passwords, config)
    await portal.app.listen({ port: env['PORT'] ? config.port : 0, host: '127.0.0.1' })
  } catch (error) {
    await portal.close()
    throw error
  }
  const { port } = portal.app.server.address() as { port: number }
  let closing: Promise<void> | undefined
  const close = () => (closing ??= portal.close())
  return { ...portal, close, config: settlePort(config, port), base: `http://127.0.0.1:${port}` }
}

export type Instance = Awaited<ReturnType<typeof openInstance>>

/** An open portal with its database, as `testPortal` and `openTestPortal` fill it in. */
interface Opened {
  instance: Instance
  clone: Awaited<ReturnType<typeof cloneDatabase>>
  pool: pg.Pool
  admin: Client
  others: { close(): Promise<void> }[]
}
type FindPages = () => Promise<BuiltPages | undefined>
type Env = Record<string, string> & Partial<AsyncDisposable>

async function open(env: Env, log: pino.Logger, findPages: FindPages): Promise<Opened> {
  await using opened = new AsyncDisposableStack()
  const clone = opened.adopt(await cloneDatabase(), async ({ drop }) => void (await drop()))
  const pool = opened.adopt(new pg.Pool(clone.connection), (pool) => pool.end())
  pool.on('error', () => {})
  const instance = await openInstance(clone.connection, env, log, { pages: await findPages() })
  const { rows } = await pool.query<{ id: number }>(`select id from users where username = 'admin'`)
  const admin = await signedIn(instance, { id: rows[0]!.id, username: 'admin' })
  opened.move()
  return { instance, clone, pool, admin, others: [] }
}

async function close({ instance, clone, pool, others }: Opened, env: Env) {
  for (const other of others) await other.close()
  await instance.close()
  await pool.end()
  await clone.drop()
  await env[Symbol.asyncDispose]?.()
}

/** A portal for one test file. `env` has configuration variables; `log` receives the log; `findPages` provides pages. */
export function testPortal(env: Env = {}, log = quiet, findPages: FindPages = async () => undefined) {
  const opened = {} as Opened
  const isOpen = Promise.withResolvers<void>()
  isOpen.promise.catch(() => {})
  before(async () => {
    await open(env, log, findPages).then((all) => Object.assign(opened, all), isOpen.reject)
    isOpen.resolve()
    await isOpen.promise
  })
  after(() => opened.instance && close(opened, env))
  return helpersOf(opened, env, log, isOpen.promise)
}

export type TestPortal = ReturnType<typeof helpersOf>

/** As `testPortal`, for a program that is not a test and closes the portal itself. */
export async function openTestPortal(env: Env = {}, log = quiet) {
  const opened = await open(env, log, async () => undefined)
  return { portal: helpersOf(opened, env, log), close: () => close(opened, env) }
}

function helpersOf(opened: Opened, env: Env, log: pino.Logger, ready = Promise.resolve()) {
  const sql = async <T = Record<string, never>>(text: string, values: unknown[] = []) => {
    const client = await opened.pool.connect()
    let isSound = false
    try {
      const { rows } = await client.query(text, values)
      isSound = true
      return rows as T[]
    } finally {
      // A failed test may have left a transaction open.
      client.release(!isSound)
    }
  }

  return {
    /** Hooks of a file start concurrently: one that needs the portal waits for this. */
    ready,
    get admin() {
      return opened.admin
    },
    get base() {
      return opened.instance.base
    },
    get app() {
      return opened.instance.app
    },
    get instance() {
      return opened.instance
    },
    get connection() {
      return opened.clone.connection
    },
    stranger: () => new Client(opened.instance.base),

    /** A person with an account, signed in. `username` must be unique. */
    async person(username: string, fields: PersonFields = {}) {
      return signedIn(opened.instance, await addPerson(opened.instance, opened.admin, username, fields))
    },

    /** Runs a statement directly on the database, as its owner. */
    sql,

    /** Runs a statement on an audited table with the recorded change that the database demands, for example to move stored times. */
    async meddle(targetType: string, targetId: number, statement: string) {
      await sql(
        `begin; insert into ledger (kind, target_type, target_id, facts) values ('test.meddled', '${targetType}', ${targetId}, '{}'); ${statement}; commit`,
      )
    },

    /** How many deadlocks PostgreSQL has broken so far. The portal retries, so nothing else shows them. */
    async deadlocks() {
      const { write } = opened.instance.db.pools
      // A connection may report its deadlocks to the statistics only a second later, so make each connection report them now.
      const writers = await Promise.all(Array.from({ length: write.totalCount }, () => write.connect()))
      await Promise.all(writers.map((writer) => writer.query('select pg_stat_force_next_flush()')))
      for (const writer of writers) writer.release()
      const [stats] = await sql<{ deadlocks: number }>('select deadlocks::int from pg_stat_database where datname = current_database()')
      return stats!.deadlocks
    },

    /** Another instance on the same database, closed with the portal. `changed` are variables that differ. */
    async another(changed: Record<string, string> = {}) {
      const other = await openInstance(opened.clone.connection, { ...env, ...changed }, log)
      opened.others.push(other)
      return other
    },

    stop: () => opened.instance.close(),
    /** Starts a new instance in place of a stopped one, with `pages`. */
    async startAgain(pages?: BuiltPages) {
      opened.instance = await openInstance(opened.clone.connection, env, log, { pages })
    },

    /**
     * Everything that `act` left behind: audit rows, histories, notifications and events, in order. Administrators get an event for each
     * audit row; that is asserted here and not repeated among the events.
     */
    async traces(act: () => Promise<unknown>) {
      const marks = await sql<{ c: number; h: number; n: number; e: number }>(
        'select (select coalesce(max(id), 0) from ledger)::int as c, (select coalesce(max(id), 0) from permission_history)::int as h, (select coalesce(max(id), 0) from notifications)::int as n, (select coalesce(max(id), 0) from events)::int as e',
      )
      await act()
      const { c, h, n, e } = marks[0]!
      const [{ logged, adminEvents, ...left }] = (await sql<Traces & Record<'logged' | 'adminEvents', object[]>>(
        `select
           (select coalesce(json_agg(json_build_object('action', action, 'type', target_type, 'target', target_id, 'metadata', facts) order by id), '[]')
            from ledger where action is not null and id > $1) as audit,
           (select coalesce(json_agg(jsonb_build_object('kind', kind, 'target', target_id, 'added', added, 'removed', removed)
              || case when ends = '[]' then '{}' else jsonb_build_object('ends', ends) end order by id), '[]')
            from permission_history where id > $2) as histories,
           (select coalesce(json_agg(json_build_object('user', user_id, 'type', type, 'titleEn', title_en) order by id), '[]')
            from notifications where id > $3) as notices,
           (select coalesce(json_agg(json_build_object('event', event, 'data', data,
              'to', (select array_agg(one order by one) from unnest(recipients) as one)) order by id), '[]')
            from events where id > $4 and event <> 'admin_changed') as events,
           (select coalesce(json_agg(json_build_object('targetType', target_type, 'targetId', nullif(target_id, 0), 'action', action,
              'actorId', actor_id, 'version', id) order by id), '[]') from ledger where action is not null and id > $1) as logged,
           (select coalesce(json_agg(data order by (data ->> 'version')::bigint), '[]')
            from events where id > $4 and event = 'admin_changed') as "adminEvents"`,
        [c, h, n, e],
      )) as [Traces & Record<'logged' | 'adminEvents', object[]>]
      assert.deepEqual(adminEvents, logged)
      return left
    },
  }
}
