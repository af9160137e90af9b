/** The limits that the ledger and its seals set to an attacker who has the password of the portal’s own database role. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { makers } from '../../../test/makers.ts'
import { testPortal } from '../../../test/portal.ts'
import { sealLedger } from '../../../test/sealing.ts'
import { portalRole } from '../../../test/setup.ts'
import { withClient } from '../../platform/database/client.ts'
import { verifyWhole } from './verified.ts'

const role = portalRole()
const skip = role ? false : 'the tests have one role only'
const portal = testPortal()
const make = makers(portal)

const asPortal = <T>(work: (client: pg.Client) => Promise<T>) => withClient({ ...portal.connection, ...role }, work)
const verify = async () => (await portal.admin.get('/admin/audit-logs/verify')).body
const row = `(kind, target_type, target_id, facts) values ('test.slow', 'user', 1, '{}')`
const seal = () => sealLedger(portal)
const first = async () => (await portal.sql<{ id: number }>('select min(id)::int as id from ledger'))[0]!.id
const unsealed = async () =>
  (await portal.sql('select id from ledger where id > (select coalesce(max(last_id), 0) from audit_seals)')).length

test('an id sent for a row of the ledger is ignored, and the row gets its own', { skip }, async () => {
  await make.newGroup()
  const id = await first()
  for (const taken of [id, '9000000000000000000'])
    await asPortal((client) =>
      client.query(
        `insert into ledger (id, at, kind, target_type, target_id, facts) overriding system value
         values (${taken}, now() - interval '10 minutes', 'test.forged', 'user', 1, '{}')`,
      ),
    )
  assert.deepEqual(await portal.sql('select id from ledger group by id having count(*) > 1 or id > 1000000000'), [])
  await seal()
  assert.deepEqual([(await verify()).valid, await unsealed()], [true, 0])
})

test('a forged seal is refused, and sealing continues', { skip }, async () => {
  const forged = `insert into audit_seals (id, last_id, ids, contents, wholes, hash)
    select coalesce(max(id), 0) + 1, 9000000000000000000, '{}', '{}', '{}', '' from audit_seals`
  await assert.rejects(
    asPortal((client) => client.query(forged)),
    { code: '42501' },
  )
  await make.newGroup()
  await seal()
  assert.equal(await unsealed(), 0)
})

test('nothing is sealed past a row that is not committed yet, however often sealing runs', { skip }, async () => {
  await seal()
  const slow = new pg.Client(portal.connection)
  await slow.connect()
  await slow.query(`begin; insert into ledger ${row}`)
  await make.newGroup()
  const [before] = await portal.sql('select max(id) as id from audit_seals')
  await asPortal(async (client) => {
    for (let n = 0; n < 5; n++) await client.query('select seal_ledger()')
    await client.query('begin isolation level repeatable read')
    await assert.rejects(client.query('select seal_ledger()'), { code: '25001' })
  })
  assert.deepEqual(await portal.sql('select max(id) as id from audit_seals'), [before])
  await slow.query('commit')
  await slow.end()
  await seal()
  assert.deepEqual([(await verify()).valid, await unsealed()], [true, 0])
})

test('after the database was restored, a horizon ahead of every transaction does not stop the sealing', async () => {
  await make.newGroup()
  await portal.sql(`update seal_horizon set last_id = 1, tx = '99999999999'`)
  await seal()
  assert.deepEqual([(await verify()).valid, await unsealed()], [true, 0])
})

/** Adds a row with this id as the owner of the ledger could, without the trigger that assigns ids, runs `look`, and removes the row. */
async function adding(id: string | number, look: () => Promise<void>) {
  const alone = (statement: string) =>
    portal.sql(`begin; alter table ledger disable trigger user; ${statement}; alter table ledger enable trigger user; commit`)
  await alone(`insert into ledger (id, at, kind, target_type, target_id, facts) overriding system value
    values (${id}, now() - interval '1 minute', 'test.added', 'user', 1, '{}')`)
  try {
    await look()
  } finally {
    await alone(
      `grant delete on ledger to current_user; delete from ledger where kind = 'test.added'; revoke delete on ledger from current_user`,
    )
  }
}
const found = async () => {
  const { kind, id, what } = (await verify()).firstMismatch
  return { kind, id, what }
}

test('a row with an id that exists already, or that was never given out, is reported as added', async () => {
  await make.newGroup()
  await seal()
  for (const id of [await first(), 9_000_000_000_000])
    await adding(id, async () => assert.deepEqual(await found(), { kind: 'row', id, what: 'added' }))
  assert.equal((await verify()).valid, true)
})

test('an operator sees the newest seal of a valid ledger, or the first mismatch of an invalid one', async () => {
  await seal()
  const { body: newest } = await portal.admin.get('/admin/audit-logs/seal')
  const { reads } = portal.instance.db
  assert.deepEqual(await verifyWhole(reads), { valid: true, said: `The ledger fits its seals; the newest is ${newest.seal}.` })
  await adding(await first(), async () => {
    const { valid, said } = await verifyWhole(reads)
    assert.deepEqual(
      [valid, said],
      [false, `The ledger does not fit its seals: the first row that is added is ${await first()}, of seal 1.`],
    )
  })
})

test('two rows with one id that were sealed together are reported', async () => {
  await seal()
  await make.newGroup()
  const [newest] = await portal.sql<{ id: number }>('select max(id)::int as id from ledger')
  await adding(newest!.id, async () => {
    await seal()
    assert.deepEqual(await found(), { kind: 'row', id: newest!.id, what: 'added' })
  })
})
