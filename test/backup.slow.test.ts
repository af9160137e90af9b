/** Backups are made under load and restored to a new portal. */
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { copyFileSync, existsSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { borrowPostgres } from '../server/platform/postgres/server.ts'
import { type Client, PASSWORD, until } from './portal.ts'
import { portals, type Running } from './process.ts'

const { makeFolder, makeUsedFolder, runScript, startInVain, startPortal, startScript } = portals()

const admin = (DATA_DIR: string, ...args: string[]) => runScript('admin', args, { DATA_DIR })

async function assertDone(DATA_DIR: string, ...args: string[]) {
  const { code, out, err } = await admin(DATA_DIR, ...args)
  assert.deepEqual([code, err], [0, ''])
  return out
}
async function assertRefused(DATA_DIR: string, args: string[], message: RegExp) {
  const { code, out, err } = await admin(DATA_DIR, ...args)
  assert.match(err, message)
  assert.deepEqual([code, out, err.trim().split('\n').length], [1, '', 1])
}

/** Stores these bytes as an object, the picture of a person; returns the object's path. */
async function keepPicture({ base }: Running, who: Client, bytes: Buffer) {
  const { body } = await who.post('/storage/uploads/request-url', { name: 'me.png', size: bytes.length, contentType: 'image/png' })
  const { pathname, search } = new URL(body.uploadURL)
  const put = await fetch(base + pathname + search, {
    method: 'PUT',
    headers: { 'content-type': 'image/png' },
    body: new Uint8Array(bytes),
  })
  assert.equal(put.status, 204)
  assert.equal((await who.patch('/auth/me/profile', { avatarUrl: body.objectPath })).status, 200)
  return body.objectPath as string
}
const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const picture = () => Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), randomBytes(3_000_000)])
async function readBytes(who: Client, path: string) {
  const answer = await fetch(`${who.base}/api/storage${path}`, { headers: { cookie: who.cookie } })
  return hashOf(Buffer.from(await answer.arrayBuffer()))
}

/** All rows, constraints, triggers, indexes and rights in the database of a folder. */
async function describeDatabase(folder: string) {
  const { owner, release } = await borrowPostgres(folder)
  const client = new pg.Client(owner)
  await client.connect()
  const read = async (text: string) => (await client.query({ text, rowMode: 'array' })).rows as string[][]
  try {
    const tables =
      (await read(`select oid::regclass::text from pg_class where relnamespace in ('public'::regnamespace, 'graphile_worker'::regnamespace)
      and relkind in ('r', 'p') and not relispartition and relpersistence = 'p' order by 1`)) as [string][]
    const rows: Record<string, unknown> = {}
    for (const [name] of tables)
      rows[name] = (await read(`select count(*), md5(string_agg(md5(one::text), '' order by one::text)) from ${name} as one`))[0]
    const guards = {
      constraints: await read(
        `select conrelid::regclass::text, conname, pg_get_constraintdef(oid), convalidated from pg_constraint order by 1, 2`,
      ),
      triggers: await read(
        `select tgrelid::regclass::text, tgname, tgenabled, pg_get_triggerdef(oid) from pg_trigger where not tgisinternal order by 1, 2`,
      ),
      indexes: await read(
        `select schemaname || indexname, indexdef from pg_indexes where schemaname in ('public', 'graphile_worker') order by 1`,
      ),
      rights: await read(
        `select oid::regclass::text, relacl from pg_class where relnamespace in ('public'::regnamespace, 'graphile_worker'::regnamespace) order by 1`,
      ),
      sequences: await read(
        `select sequencename, last_value from pg_sequences where sequencename <> 'lease_holders' order by schemaname, 1`,
      ),
    }
    return { rows, guards }
  } finally {
    await client.end()
    await release()
  }
}

test('a backup under load shows a single moment: counts match, the ledger is whole, pages reload, and people can continue', async (t) => {
  const DATA_DIR = await makeUsedFolder()
  const portal = await startPortal({ DATA_DIR })
  const who = await portal.stranger().signIn('admin')
  const bytes = picture()
  const path = await keepPicture(portal, who, bytes)
  const { body: service } = await who.post('/services', { nameAr: 'قهوة', nameEn: 'Coffee' })
  const placed: string[] = []
  let isOver = false
  t.after(() => {
    isOver = true
  })
  const keepOrdering = async (name: number) => {
    for (let count = 0; !isOver; count++) {
      const notes = `order ${count} of ${name}`
      const { status, body } = await who.post('/orders', { serviceId: service.id, notes })
      assert.equal(status, 201)
      placed.push(notes)
      // Cancels the order, because a person may have at most 100 waiting orders.
      assert.equal((await who.patch(`/orders/${body.id}/status`, { status: 'cancelled' })).status, 200)
      assert.equal((await who.post('/notes', { title: notes, content: 'x'.repeat(5000) })).status, 201)
      await pause(20)
    }
  }
  const working = Promise.all([1, 2, 3].map(keepOrdering))
  await until('there are orders', () => placed.length > 60)

  const { owner } = await borrowPostgres(DATA_DIR)
  const client = new pg.Client(owner)
  await client.connect()
  await client.query(`select graphile_worker.add_job('seal_ledger')`)
  await client.end()
  const askSeal = () => who.get('/admin/audit-logs/seal')
  await until('the ledger is sealed', async () => (await askSeal()).status === 200)
  const { seal } = (await askSeal()).body
  const stream = await who.listen()
  await stream.next('notification_created')
  const { lastId } = stream
  stream.close()

  const file = join(makeFolder(), 'bawaba.backup')
  const before = [...placed]
  assert.match(await assertDone(DATA_DIR, 'backup', file), /^Backed up into .*: \d+ rows of \d+ tables, 1 objects\.\n$/)
  assert.equal(statSync(file).mode & 0o777, 0o600)
  const during = placed.length - before.length
  await until('work goes on', () => placed.length > before.length + during + 5)
  isOver = true
  await working
  assert.equal((await portal.stop()).code, 0)

  const into = makeFolder()
  assert.match(
    await assertDone(into, 'restore', file),
    /^Restored into .*: \d+ rows of \d+ tables, 1 objects, as of 2.*\nThe ledger (fits its seals; the newest is \d+\.[0-9a-f]{64}|has no seal yet)\.\n$/,
  )
  assert.equal(await assertDone(into, 'recount'), 'Every count is correct.\n')
  const again = await startPortal({ DATA_DIR: into })
  const back = Object.assign(again.stranger(), { cookie: who.cookie })
  const { body: orders } = await back.get('/orders/my')
  const there = new Set((orders as { notes: string }[]).map(({ notes }) => notes))
  assert.deepEqual(
    before.filter((notes) => !there.has(notes)),
    [],
  )
  t.diagnostic(`${before.length} orders before it, ${there.size} in it, ${placed.length} at the end`)
  assert.equal(await readBytes(back, path), hashOf(bytes))
  const { valid, checked } = (await back.get(`/admin/audit-logs/verify?seal=${seal}`)).body
  assert.deepEqual([valid, checked > 60], [true, true])
  const resumed = await back.listen(lastId)
  await resumed.next('resync')
  resumed.close()
  const signedIn = await again.stranger().signIn('admin')
  assert.equal((await signedIn.post('/orders', { serviceId: service.id })).status, 201)
  assert.equal((await again.stop()).code, 0)
})

test('a restore brings back every row, constraint, trigger, index and right', async () => {
  const source = await makeUsedFolder()
  const portal = await startPortal({ DATA_DIR: source })
  const who = await portal.stranger().signIn('admin')
  await keepPicture(portal, who, picture())
  await who.post('/notes', { title: 'ملاحظة\t\\N "quoted"', content: `line\nline \\ ${'ي'.repeat(10_000)}` })
  await portal.stop()
  const file = join(makeFolder(), 'bawaba.backup')
  await assertDone(source, 'backup', file)
  await assertRefused(source, ['backup', file], /is there already$/m)
  await assertRefused(source, ['restore', file], /is not empty: give DATA_DIR another folder$/m)

  const into = makeFolder()
  await assertDone(into, 'restore', file)
  const [before, after] = [await describeDatabase(source), await describeDatabase(into)]
  // Events are not restored, nor is the position of the newest one, because their transaction ids belong to the former cluster.
  for (const { rows } of [before, after]) for (const name of ['events', 'event_horizon']) delete rows[name]
  assert.deepEqual(after, before)
  assert.ok(Object.keys(before.rows).length > 50)
})

test('a file that is truncated, damaged or no backup is refused in one line, and leaves nothing behind', async () => {
  const source = await makeUsedFolder()
  const file = join(makeFolder(), 'bawaba.backup')
  await assertDone(source, 'backup', file)
  const { size } = statSync(file)
  const damaged = join(makeFolder(), 'damaged')
  const flipped = readFileSync(file)
  flipped[size - 40]! ^= 0x10
  const ways: [string, () => void][] = [
    ['in its middle', () => truncateSync(damaged, Math.floor(size / 2))],
    ['before its last bytes', () => truncateSync(damaged, size - 5)],
    ['by a bit', () => writeFileSync(damaged, flipped)],
    ['by all of it', () => writeFileSync(damaged, 'something else')],
  ]
  const into = makeFolder()
  for (const [, damage] of ways) {
    copyFileSync(file, damaged)
    damage()
    await assertRefused(into, ['restore', damaged], /^\S+damaged is not a whole backup/)
    assert.deepEqual(readdirSync(into), [])
  }
  await assertRefused(into, ['restore', '/nowhere/backup'], /^ENOENT/)
  assert.deepEqual(readdirSync(into), [])
})

test('a killed restore leaves a folder that no portal starts on, and a killed backup leaves only a .part file', async () => {
  const source = await makeUsedFolder()
  const folder = makeFolder()
  const file = join(folder, 'bawaba.backup')
  const { owner, release } = await borrowPostgres(source)
  const client = new pg.Client(owner)
  await client.connect()
  await client.query('begin; lock table users in access exclusive mode')
  const backing = startScript('admin', ['backup', file], { DATA_DIR: source })
  await until('it has begun', () => existsSync(`${file}.part`))
  await assertRefused(source, ['backup', `${file}.2`], /^another backup is being made$/m)
  backing.child.kill('SIGKILL')
  await backing.ended
  await client.end()
  assert.deepEqual(readdirSync(folder), ['bawaba.backup.part'])
  await assertDone(source, 'backup', file)
  await release()
  assert.deepEqual(readdirSync(folder), ['bawaba.backup'])

  const into = makeFolder()
  const restoring = startScript('admin', ['restore', file], { DATA_DIR: into })
  await until('there is a database', () => existsSync(join(into, 'postgres', 'PG_VERSION')))
  restoring.child.kill('SIGKILL')
  await restoring.ended
  const cutOff = /a restore into \S+ was cut off: empty the folder and restore again$/m
  const { code, err } = await startInVain({ DATA_DIR: into, ADMIN_PASSWORD: PASSWORD })
  assert.equal(code, 1)
  assert.match(err, cutOff)
  await assertRefused(into, ['restore', file], cutOff)
  await assertRefused(into, ['recount'], cutOff)
})

test('for an external database, the commands name the tools of PostgreSQL and do nothing', async () => {
  const settings = { DATABASE_URL: 'postgres://portal:hidden@127.0.0.1:1/portal' }
  for (const [command, program] of [
    ['backup', 'pg_dump -Fc'],
    ['restore', 'pg_restore --no-owner'],
  ] as const) {
    const { code, out, err } = await runScript('admin', [command, 'file'], settings)
    assert.deepEqual(
      [code, out, err.includes(program), err.includes('DATA_DIR/objects'), err.includes('hidden')],
      [1, '', true, true, false],
    )
  }
})
