import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type pg from 'pg'
import { cloneDatabase } from '../../../test/portal.ts'
import { portalRole } from '../../../test/setup.ts'
import { withClient } from './client.ts'
import { assertOwner, grantRights, identityOf, wayPastLocks } from './roles.ts'

const role = portalRole()
const skip = role ? false : 'the tests have one role only'
let clone: Awaited<ReturnType<typeof cloneDatabase>>
let owner: pg.PoolConfig
let portal: pg.PoolConfig
before(async () => {
  clone = await cloneDatabase()
  owner = clone.connection
  portal = { ...owner, ...role }
})
after(() => clone.drop())

const asOwner = <R extends pg.QueryResultRow>(statement: string) =>
  withClient(owner, async (client) => (await client.query<R>(statement)).rows)
const findWay = (connection: pg.PoolConfig) => withClient(connection, wayPastLocks)

test('the owner must be another role of the same database, and own its tables', { skip }, async () => {
  const own = await identityOf(portal)
  await assertOwner(owner, own)
  await assert.rejects(assertOwner(portal, own), {
    message: `it has the role of DATABASE_URL, ${own.role}: the owner needs one of its own`,
  })
  await assert.rejects(assertOwner({ ...owner, database: 'postgres' }, own), { message: 'it leads to another database than DATABASE_URL' })
  await assert.rejects(assertOwner(portal, await identityOf(owner)), {
    message: `the table ledger belongs to ${owner.user}, not to ${own.role}`,
  })
})

test('every right that bypasses the locks of the ledger causes a warning, until `grantRights` takes it away', { skip }, async () => {
  await grantRights(owner, role!.user)
  assert.equal(await findWay(portal), undefined)
  const ways: [given: string, warning: RegExp][] = [
    [`grant temporary on database ${owner.database} to public`, /may create temporary tables in the database/],
    ['grant create on schema public to public', /may create tables and functions in the schema public/],
    [`grant create on schema graphile_worker to ${role!.user}`, /may create tables and functions in the schema graphile_worker/],
    ...['ledger', 'ledger_default', 'permission_history', 'audit_seals'].flatMap((table) =>
      ['update', 'delete', 'truncate', 'trigger'].map((right): [string, RegExp] => [
        `grant ${right} on ${table} to ${role!.user}`,
        new RegExp(`may rewrite ${table}:`),
      ]),
    ),
    [`grant insert on audit_seals to ${role!.user}`, /may write audit_seals:/],
    [`grant insert (id) on audit_seals to ${role!.user}`, /may write audit_seals:/],
    [`grant update on seal_horizon to ${role!.user}`, /may write seal_horizon:/],
    [`grant update (facts) on ledger to ${role!.user}`, /may rewrite ledger:/],
  ]
  for (const [given, warning] of ways) {
    await asOwner(given)
    assert.match(String(await findWay(portal)), warning, given)
    await grantRights(owner, role!.user)
    assert.equal(await findWay(portal), undefined, given)
  }
})

test('a role that owns the database causes a warning', {
  skip,
}, async () => {
  assert.match(String(await findWay(owner)), new RegExp(`^the database role ${owner.user} owns the database ${owner.database}: `))
})

test('correct rights are not touched', { skip }, async () => {
  await grantRights(owner, role!.user)
  const versions = () =>
    asOwner(`select string_agg(xmin::text, ' ' order by oid) as all from pg_class where relnamespace = 'public'::regnamespace`)
  const before = await versions()
  await grantRights(owner, role!.user)
  assert.deepEqual(await versions(), before)
})
