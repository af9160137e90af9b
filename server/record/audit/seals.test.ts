/** The chain over the ledger: changes are sealed, and tampering is discovered even if it circumvents every lock. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import pino from 'pino'
import { makers } from '../../../test/makers.ts'
import { testPortal, until } from '../../../test/portal.ts'
import { sealLedger } from '../../../test/sealing.ts'

const lines: string[] = []
const portal = testPortal({}, pino({ level: 'info' }, { write: (line) => void lines.push(line) }))
const make = makers(portal)

const seal = () => sealLedger(portal)
const verify = async (query = '') => (await portal.admin.get(`/admin/audit-logs/verify?${query}`)).body
const count = async (what: string) => (await portal.sql<{ count: number }>(`select count(*)::int as count from ${what}`))[0]!.count

/** Seals six new rows of the log, each about its own group; returns the seal and the ids of its rows. */
async function sealSix() {
  await seal()
  for (let made = 0; made < 6; made++) await make.newGroup()
  await seal()
  const [row] = await portal.sql<{ id: number; ids: string[] }>('select id::int, ids from audit_seals order by id desc limit 1')
  assert.equal(row!.ids.length, 6)
  return { seal: row!.id, ids: row!.ids.map(Number) }
}

const tables = ['ledger', 'audit_seals']
const unlock = tables
  .map((table) => `alter table ${table} disable trigger user; grant update, delete on ${table} to current_user;`)
  .join('')
const lock = tables
  .map((table) => `alter table ${table} enable trigger user; revoke update, delete on ${table} from current_user;`)
  .join('')

/** Tampers with the ledger as someone who controls the database could, circumventing every lock, runs `look`, and restores everything. */
async function tampering(statement: string, look: () => Promise<void>) {
  const run = (statements: string) => portal.sql(`begin; ${unlock} ${statements}; ${lock} commit`)
  await run('create table kept_ledger as table ledger; create table kept_seals as table audit_seals')
  try {
    await run(statement)
    await look()
  } finally {
    await run(`delete from ledger; insert into ledger overriding system value table kept_ledger; drop table kept_ledger;
      delete from audit_seals; insert into audit_seals table kept_seals; drop table kept_seals`)
  }
  assert.equal((await verify()).valid, true)
}

test('a young ledger without seals is valid, and one whose seals were all removed is not', async () => {
  await sealSix()
  const bare = { checked: 0, from: 1, sealedUntil: null, lastSeal: null, nextSeal: null }
  const gone = { kind: 'seal', id: 1, seal: 1, at: null, what: 'missing' }
  const left = (minutes: number) => `delete from audit_seals; update ledger set at = now() - interval '${minutes} minutes'`
  await tampering(left(9), async () => assert.deepEqual(await verify(), { ...bare, valid: true, firstMismatch: null }))
  await tampering(left(11), async () => assert.deepEqual(await verify(), { ...bare, valid: false, firstMismatch: gone }))
})

const exchange = (columns: string, one: number, other: number) =>
  `update ledger set (${columns}) = (select ${columns} from ledger twin where twin.id = ${one} + ${other} - ledger.id) where id in (${one}, ${other})`
/** An id cannot be updated, so this deletes the rows and inserts them again. */
const renumber = (ids: number[], to: string) =>
  `create temp table moved on commit drop as select * from ledger where id in (${ids}); delete from ledger where id in (${ids});
   update moved set id = ${to}; insert into ledger overriding system value table moved`
const set = (id: number, columns: string) => `update ledger set ${columns} where id = ${id}`
const remove = (id: number) => `delete from ledger where id = ${id}`

/** Statements on the rows `a`, `b` and `c` of one seal, in the order of the ids, and the expected report. */
const tamperings: [title: string, statement: (a: number, b: number, c: number) => string, which: 'a' | 'b', what: string][] = [
  ['whose actor was replaced', (a) => set(a, `actor_id = 77, actor_username = 'other'`), 'a', 'changed'],
  ['whose facts were changed', (_a, b) => set(b, `facts = facts || '{"name": "x"}'`), 'b', 'changed'],
  ['whose action was cleared', (_a, b) => set(b, 'action = null'), 'b', 'changed'],
  [
    'that another was laid over',
    (a, b) => set(b, `(target_id, facts) = (select target_id, facts from ledger where id = ${a})`),
    'b',
    'changed',
  ],
  ['that was removed', (_a, b) => remove(b), 'b', 'missing'],
  ['that was removed before another was changed', (a, b) => `${remove(a)}; ${set(b, `kind = ''`)}`, 'a', 'missing'],
  ['that was given an id beyond the seals', (_a, b) => renumber([b], 'id + 100000'), 'b', 'missing'],
  ['that was moved to another month', (_a, b) => set(b, `at = at - interval '40 days'`), 'b', 'reordered'],
  ['whose time is another by a microsecond', (_a, b) => set(b, `at = at + interval '1 microsecond'`), 'b', 'reordered'],
  ['that is said to be of another transaction', (_a, b) => set(b, `tx = '3'`), 'b', 'reordered'],
  ['that exchanged its time with another', (a, _b, c) => exchange('at', a, c), 'a', 'reordered'],
  ['that exchanged its words with another', (a, _b, c) => exchange('target_id, facts', a, c), 'a', 'reordered'],
  ['that exchanged its id with another', (_a, b, c) => renumber([b, c], `${b} + ${c} - id`), 'b', 'reordered'],
]
for (const [title, statement, which, what] of tamperings)
  test(`a row ${title} is reported as ${what}`, async () => {
    const { seal: number, ids } = await sealSix()
    const [a, b, c] = [ids[1]!, ids[2]!, ids[4]!]
    await tampering(statement(a, b, c), async () => {
      const { valid, firstMismatch, lastSeal, nextSeal } = await verify()
      const { at, ...named } = firstMismatch
      assert.deepEqual([valid, named], [false, { kind: 'row', id: which === 'a' ? a : b, seal: number, what }])
      assert.equal(at === null, what === 'missing')
      assert.deepEqual([lastSeal?.id ?? 0, nextSeal], [number - 1, null])
    })
  })

const addRow = (values: string) =>
  `insert into ledger (id, at, tx, kind, target_type, target_id, facts) overriding system value values (${values}, 'test.added', 'user', 1, '{}')`

test('a row inserted among sealed rows is reported as added', async () => {
  const [{ id }] = (await portal.sql<{ id: number }>(`select nextval(pg_get_serial_sequence('ledger', 'id'))::int as id`)) as [
    { id: number },
  ]
  const { seal: number } = await sealSix()
  for (const at of ['now()', `now() - interval '40 days'`])
    await tampering(addRow(`${id}, ${at}, '3'`), async () => {
      // The mismatch is in the seal whose range of ids includes `id`.
      const { at: _, seal: its, ...named } = (await verify()).firstMismatch
      assert.ok(its === number || its === number - 1)
      assert.deepEqual(named, { kind: 'row', id, what: 'added' })
    })
})

for (const [title, at] of [
  ['back', `now() - interval '2 days'`],
  ['ahead', `now() + interval '2 days'`],
])
  test(`a row that was added with a time dated ${title} is reported as added once it is sealed`, async () => {
    await sealSix()
    await tampering('select', async () => {
      const [row] = await portal.sql<{ id: number }>(
        `insert into ledger (at, kind, target_type, target_id, facts) values (${at}, 'test.added', 'user', 1, '{}') returning id::int`,
      )
      await seal()
      const { kind, id, what } = (await verify()).firstMismatch
      assert.deepEqual({ kind, id, what }, { kind: 'row', id: row!.id, what: 'added' })
    })
  })

for (const [title, change, what] of [
  ['whose hash was replaced', `update audit_seals set hash = sha256('') where id = $`, 'changed'],
  ['whose time was moved', `update audit_seals set at = at + interval '1 second' where id = $`, 'changed'],
  ['that was removed', 'delete from audit_seals where id = $', 'missing'],
] as const)
  test(`a seal ${title} is reported as ${what}`, async () => {
    const { seal: number } = await sealSix()
    await sealSix()
    await tampering(change.replace('$', String(number)), async () => {
      const { kind, id, what: said } = (await verify()).firstMismatch
      assert.deepEqual([kind, id, said], ['seal', number, what])
      if (what === 'missing') assert.equal((await verify(`from=${number + 1}`)).firstMismatch.id, number)
    })
  })

test("a row that is changed together with the hashes of its seal's rows still does not match the seal", async () => {
  const { seal: number, ids } = await sealSix()
  const forge = `update audit_seals set contents[1] = contents[2], wholes[1] = wholes[2] where id = ${number}`
  await tampering(`${set(ids[0]!, `kind = 'x'`)}; ${forge}`, async () => assert.equal((await verify()).firstMismatch.seal, number))
})

test('a valid chain is reported with the number of all rows and the time of the last seal', async () => {
  const { seal: last } = await sealSix()
  const [{ at }] = (await portal.sql<{ at: Date }>(`select at from audit_seals where id = ${last}`)) as [{ at: Date }]
  const { lastSeal, ...answer } = await verify()
  const fits = { valid: true, from: 1, nextSeal: null, firstMismatch: null }
  assert.deepEqual(answer, { ...fits, checked: await count('ledger'), sealedUntil: at.toISOString() })
  assert.equal(lastSeal.id, last)
  assert.match(lastSeal.hash, /^[0-9a-f]{64}$/)
})

test('the chain can be verified in parts, and each answer says what it covered', async () => {
  const { seal: last } = await sealSix()
  let [checked, parts] = [0, 0]
  for (let from: number | null = 1; from !== null; parts++) {
    const part: { valid: boolean; checked: number; nextSeal: number | null; lastSeal: { id: number } } = await verify(
      `from=${from}&limit=2`,
    )
    assert.equal(part.valid, true)
    assert.equal(part.lastSeal.id, Math.min(from + 1, last))
    checked += part.checked
    from = part.nextSeal
  }
  assert.deepEqual([checked, parts >= last / 2], [await count('ledger'), true])
  const { checked: none, lastSeal, sealedUntil, valid } = await verify(`from=${last + 1}`)
  assert.deepEqual([none, lastSeal, sealedUntil, valid], [0, null, null, true])
})

for (const query of ['from=0', 'from=x', 'limit=0', 'limit=10001'])
  test(`a verification refuses ${query}`, async () => {
    assert.equal((await portal.admin.get(`/admin/audit-logs/verify?${query}`)).status, 400)
  })

test('many rows are sealed in batches of a thousand', async () => {
  await seal()
  const seals = await count('audit_seals')
  await portal.sql(
    `insert into ledger (kind, target_type, target_id, facts) select 'test.many', 'user', n, '{}' from generate_series(1, 2500) as n`,
  )
  await seal()
  assert.equal(await count('audit_seals'), seals + 3)
  assert.equal((await verify()).checked, await count('ledger'))
})

test('a ledger that the database’s owner rewrote and sealed again contradicts a seal noted before', async () => {
  await sealSix()
  const { body: newest } = await portal.admin.get('/admin/audit-logs/seal')
  const [first] = await portal.sql<{ seal: string }>(`select '1.' || encode(hash, 'hex') as seal from audit_seals where id = 1`)
  for (const noted of [newest.seal, first!.seal]) assert.equal((await verify(`seal=${noted}`)).valid, true)
  const rewriting = `update ledger set facts = '{"rewritten": true}' where id = (select min(id) from ledger); delete from audit_seals`
  await tampering(rewriting, async () => {
    await seal()
    assert.equal((await verify()).valid, true)
    for (const [noted, what] of [
      [first!.seal, 'changed'],
      [newest.seal, 'missing'],
    ]) {
      const { valid, firstMismatch } = await verify(`seal=${noted}&from=2`)
      assert.deepEqual(
        [valid, firstMismatch?.kind, firstMismatch?.id, firstMismatch?.what],
        [false, 'seal', Number(noted.split('.')[0]), what],
      )
    }
  })
})

test('a malformed seal is refused, and the portal gives out no seal before the first is made', async () => {
  for (const noted of ['1', '1.ff', `0.${'0'.repeat(64)}`, `1.${'G'.repeat(64)}`, `99999999999.${'0'.repeat(64)}`])
    assert.equal((await portal.admin.get(`/admin/audit-logs/verify?seal=${noted}`)).status, 400, noted)
  await tampering('delete from audit_seals', async () => {
    const { status, body } = await portal.admin.get('/admin/audit-logs/seal')
    assert.deepEqual([status, body.code], [404, 'not_found'])
  })
})

test('the job `note_seal` writes the newest seal to the log', async () => {
  await seal()
  const { body: newest } = await portal.admin.get('/admin/audit-logs/seal')
  await portal.sql(`select graphile_worker.add_job('note_seal')`)
  await until('the seal is in the log', () => lines.some((line) => JSON.parse(line).seal === newest.seal))
})
test('nothing is sealed while an earlier row may still be committed', async () => {
  await seal()
  const seals = await count('audit_seals')
  const slow = new pg.Client(portal.connection)
  await slow.connect()
  await slow.query(`begin; insert into ledger (kind, target_type, target_id, facts) values ('test.slow', 'user', 1, '{}')`)
  await make.newGroup()
  const sealing = seal()
  await until('the job waits', async () => (await portal.sql('select from graphile_worker.jobs where locked_at is not null')).length)
  assert.equal(await count('audit_seals'), seals)
  await slow.query('commit')
  await slow.end()
  await sealing
  const [row] = await portal.sql<{ length: number }>('select cardinality(ids) as length from audit_seals order by id desc limit 1')
  assert.equal(row!.length, 2)
  assert.equal((await verify()).valid, true)
})

test('simultaneous sealing jobs make one chain', async () => {
  for (let made = 0; made < 5; made++) {
    await make.newGroup()
    await Promise.all([seal(), seal(), seal()])
  }
  const { valid, checked } = await verify()
  assert.deepEqual([valid, checked], [true, await count('ledger')])
})

test('seals can be neither changed nor removed', async () => {
  await seal()
  for (const statement of ['update audit_seals set at = at', 'delete from audit_seals', 'truncate audit_seals'])
    await assert.rejects(portal.sql(statement), { code: '42501' }, statement)
})
