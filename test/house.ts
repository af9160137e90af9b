/** The test house: a whole portal on a database of its own, reached over HTTP, and the traces that each call leaves. */
import { after, before } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import pino from 'pino'
import { type Config, readConfig, settlePort } from '../server/platform/config.ts'
import { ensureAdmin, type OpenPortal, openPortal } from '../server/portal.ts'

export const ADMIN_PASSWORD = 'correct horse'
export const PASSWORD = 'battery staple'

export interface Answer {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests assert on what comes
  body: any
  text: string
  headers: Headers
}
interface Traces {
  audit: { action: string; type: string; target: number; metadata: Record<string, unknown> }[]
  histories: { kind: string; target: number; added: number[]; removed: number[] }[]
  notices: { user: number; type: string; titleEn: string }[]
  events: { event: string; data: unknown; to: number[] | null }[]
}
interface SentEvent {
  id: string
  event: string
  // biome-ignore lint/suspicious/noExplicitAny: tests assert on what comes
  data: any
}

/** Waits until `look` answers something true, and answers it; fails with `what` after 10 s, or `ms`. */
export async function until<T>(what: string, look: () => T | Promise<T>, ms = 10_000): Promise<NonNullable<T>> {
  const end = Date.now() + ms
  for (;;) {
    const seen = await look()
    if (seen) return seen
    if (Date.now() > end) throw new Error(`never happened: ${what}`)
    await pause(10)
  }
}

/** Someone with a browser: keeps the session cookie it is given. */
export class Visitor {
  readonly base: string
  cookie = ''
  id = 0
  username = ''
  constructor(base: string) {
    this.base = base
  }

  async send(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    const response = await fetch(`${this.base}/api${path}`, {
      method,
      redirect: 'manual',
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(this.cookie && { cookie: this.cookie }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' || body instanceof Uint8Array ? (body as string) : JSON.stringify(body) }),
    })
    const set = response.headers.getSetCookie().find((cookie) => cookie.includes('portal_session='))
    if (set) this.cookie = set.includes('Max-Age=0') || /Expires=Thu, 01 Jan 1970/.test(set) ? '' : set.split(';')[0]!
    const text = await response.text()
    let parsed: unknown
    try {
      parsed = text === '' ? undefined : JSON.parse(text)
    } catch {
      parsed = undefined
    }
    return { status: response.status, body: parsed, text, headers: response.headers }
  }
  get = (path: string, headers?: Record<string, string>) => this.send('GET', path, undefined, headers)
  post = (path: string, body?: unknown) => this.send('POST', path, body)
  put = (path: string, body?: unknown) => this.send('PUT', path, body)
  patch = (path: string, body?: unknown) => this.send('PATCH', path, body)
  delete = (path: string) => this.send('DELETE', path)

  async signIn(username: string, password = PASSWORD) {
    const answer = await this.post('/auth/login', { username, password })
    if (answer.status !== 200) throw new Error(`${username} cannot sign in: ${answer.text}`)
    this.id = answer.body.id
    this.username = answer.body.username
    return this
  }

  /** Opens the event stream; `events` grows as they come. */
  async listen(lastEventId?: string, path = '/events') {
    const stop = new AbortController()
    const response = await fetch(`${this.base}/api${path}`, {
      signal: stop.signal,
      headers: { cookie: this.cookie, ...(lastEventId !== undefined && { 'last-event-id': lastEventId }) },
    })
    const stream = { status: response.status, events: [] as SentEvent[], lastId: '', isOpen: true, close: () => stop.abort(), seen, next }
    function seen(event: string) {
      return stream.events.filter((one) => one.event === event)
    }
    /** The first event of the kind that fits, once it is here. */
    function next(event: string, fits: (data: SentEvent['data']) => boolean = () => true) {
      return until(`event ${event}`, () => stream.events.find((one) => one.event === event && fits(one.data)))
    }
    void (async () => {
      let text = ''
      try {
        for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
          text += chunk
          const blocks = text.split('\n\n')
          text = blocks.pop()!
          for (const block of blocks) {
            const fields = Object.fromEntries(
              block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]),
            )
            if (fields['id']) stream.lastId = fields['id']
            if (fields['data'])
              stream.events.push({ id: fields['id'] ?? '', event: fields['event'] ?? 'message', data: JSON.parse(fields['data']) })
          }
        }
      } catch {
        // Closed by the test or cut by the server.
      }
      stream.isOpen = false
    })()
    if (response.status === 200) await until('the stream is ready', () => stream.lastId || stream.events.length || !stream.isOpen)
    return stream
  }
}

const server = () => JSON.parse(process.env['TEST_POSTGRES']!) as pg.ClientConfig
/** Runs a statement on the server of the tests. */
export async function onServer(statement: string) {
  const client = new pg.Client(server())
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

/** Drops a database once it can be: PostgreSQL refuses to end an autovacuum worker, which may be at work there, for a role that is no superuser. */
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

let clones = 0

/** A database cloned from the template, dropped by `drop`. */
export async function cloneDatabase() {
  const database = `bawaba_test_${process.pid}_${clones++}`
  await onServer(`create database ${database} template bawaba_test_template`)
  return { connection: { ...server(), database } as pg.PoolConfig, drop: () => dropDatabase(database) }
}

export const quiet = pino({ level: process.env['TEST_LOG'] ?? 'silent' })

/** An instance of the portal, listening on a free port. */
export async function openInstance(connection: pg.PoolConfig, env: Record<string, string> = {}, log = quiet) {
  const config: Config = readConfig({ RATE_LIMITS: 'off', ADMIN_PASSWORD, LOG_LEVEL: 'silent', ...env })
  const portal = await openPortal(config, connection, log)
  await ensureAdmin(portal.transact, config)
  await portal.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = portal.app.server.address() as { port: number }
  return { ...portal, config: settlePort(config, port), base: `http://127.0.0.1:${port}` }
}

/** A portal for one test file. `env` are configuration variables; `log` is where it logs. */
export function house(env: Record<string, string> = {}, log = quiet) {
  let instance: OpenPortal & { base: string; config: Config }
  let clone: Awaited<ReturnType<typeof cloneDatabase>>
  let pool: pg.Pool
  let admin: Visitor
  const others: { close(): Promise<void> }[] = []

  before(async () => {
    clone = await cloneDatabase()
    pool = new pg.Pool(clone.connection)
    pool.on('error', () => {})
    instance = await openInstance(clone.connection, env, log)
    admin = await new Visitor(instance.base).signIn('admin', ADMIN_PASSWORD)
  })
  after(async () => {
    for (const other of others) await other.close()
    await instance?.close()
    await pool?.end()
    await clone?.drop()
  })

  const sql = async <T = Record<string, never>>(text: string, values: unknown[] = []) => {
    const client = await pool.connect()
    let isSound = false
    try {
      const { rows } = await client.query(text, values)
      isSound = true
      return rows as T[]
    } finally {
      // A failure may have left a transaction open.
      client.release(!isSound)
    }
  }

  return {
    get admin() {
      return admin
    },
    get base() {
      return instance.base
    },
    get app() {
      return instance.app
    },
    get instance() {
      return instance
    },
    get connection() {
      return clone.connection
    },
    stranger: () => new Visitor(instance.base),

    /** Someone with an account, signed in; `username` is made unique by the caller. */
    async person(
      username: string,
      {
        roles = [],
        ...fields
      }: { roles?: string[]; groupIds?: number[]; preferredLanguage?: string; displayNameAr?: string; displayNameEn?: string } = {},
    ) {
      const created = await admin.post('/users', { username, email: `${username}@example.org`, password: PASSWORD, ...fields })
      if (created.status !== 201) throw new Error(`no ${username}: ${created.text}`)
      for (const roleName of roles) await admin.post(`/users/${created.body.id}/roles`, { roleName })
      return new Visitor(instance.base).signIn(username)
    },

    /** Straight to the database, past the portal. */
    sql,

    /** A statement on an audited table, with the recorded change it needs; for moving stored time and the like. */
    async meddle(about: string, subject: number, statement: string) {
      await sql(
        `begin; insert into ledger (kind, target_type, target_id, facts) values ('test.meddled', '${about}', ${subject}, '{}'); ${statement}; commit`,
      )
    },

    /** A second instance on the same database, closed with the house. */
    async another() {
      const other = await openInstance(clone.connection, env, log)
      others.push(other)
      return other
    },

    /** Exactly what `act` left behind: audit rows, histories, notifications and events, in order. */
    async traces(act: () => Promise<unknown>) {
      const marks = await sql<{ c: number; h: number; n: number; e: number }>(
        'select (select coalesce(max(id), 0) from ledger)::int as c, (select coalesce(max(id), 0) from permission_history)::int as h, (select coalesce(max(id), 0) from notifications)::int as n, (select coalesce(max(id), 0) from events)::int as e',
      )
      await act()
      const { c, h, n, e } = marks[0]!
      const [left] = await sql<Traces>(
        `select
           (select coalesce(json_agg(json_build_object('action', action, 'type', target_type, 'target', target_id, 'metadata', facts) order by id), '[]')
            from ledger where action is not null and id > $1) as audit,
           (select coalesce(json_agg(json_build_object('kind', kind, 'target', target_id, 'added', added, 'removed', removed) order by id), '[]')
            from permission_history where id > $2) as histories,
           (select coalesce(json_agg(json_build_object('user', user_id, 'type', type, 'titleEn', title_en) order by id), '[]')
            from notifications where id > $3) as notices,
           (select coalesce(json_agg(json_build_object('event', event, 'data', data,
              'to', (select array_agg(one order by one) from unnest(recipients) as one)) order by id), '[]')
            from events where id > $4) as events`,
        [c, h, n, e],
      )
      return left!
    },
  }
}
export type House = ReturnType<typeof house>
