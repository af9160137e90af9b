import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makers } from '../../../test/makers.ts'
import { testPortal, until } from '../../../test/portal.ts'

const MORE = 20_000
const portal = testPortal()
const { newPerson, newService } = makers(portal)

/**
 * The number of rows of `orders` that statements have read, by scans or indexes, and of rows inserted, as far as connections have reported
 * them.
 */
async function counts() {
  const [counted] = await portal.sql<{ read: number; placed: number }>(`
    select n_tup_ins::float8 as placed, seq_tup_read + (select sum(idx_tup_read) from pg_stat_user_indexes where relname = 'orders')::float8 as read
    from pg_stat_user_tables where relname = 'orders'`)
  return counted!
}

test(`placing an order reads few orders, even if its statements were planned before ${MORE} orders existed`, async () => {
  const [person, service] = [await newPerson(), await newService()]
  await newPerson({ roles: ['order_receiver'] })
  const place = async () => assert.equal((await person.post('/orders', { serviceId: service.id })).status, 201)
  for (let placed = 0; placed < 10; placed++) await place()
  // Tells the planner that the table is small.
  await portal.sql('analyze')
  // From the sixth execution on, a connection may keep a generic plan.
  for (let placed = 0; placed < 20; placed++) await place()
  const fill = `
    with recorded as (insert into ledger (kind, target_type, target_id, facts) values ('test.filled', 'service', ${service.id}, '{}'))
    insert into orders (service_id, user_id, status) select ${service.id}, ${portal.admin.id}, 'completed' from generate_series(1, ${MORE})`
  await portal.sql(fill)
  await until('the others are counted', async () => (await counts()).placed >= MORE)
  const before = await counts()
  await until('some more are counted', async () => {
    await place()
    return (await counts()).placed >= before.placed + 5
  })
  const after = await counts()
  const each = (after.read - before.read) / (after.placed - before.placed)
  assert.ok(each < 1000, `each reads ${each}`)
})
