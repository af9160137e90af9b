import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testPortal } from '../../../test/portal.ts'
import { withClient } from '../database/client.ts'
import { forgetSecrets, hasSecrets, rotateSecrets } from './rewriting.ts'
import { openSecrets } from './secrets.ts'

const portal = testPortal()
const [key, former] = ['k', 'f'].map((letter) => Buffer.alloc(32, letter)) as [Buffer, Buffer]
const opened = (present: Buffer) => openSecrets({ secretsKey: present.toString('base64url') })
const on = <T>(work: Parameters<typeof withClient<T>>[1]) => withClient(portal.connection, work)

/** Two tables with secrets and with keys of different types. One of them refuses changes that are not recorded. */
async function makeTables(count: number) {
  await portal.sql(`
    drop table if exists things, others;
    create table things (id int primary key, name text, one secret, other secret);
    create table others (key uuid primary key, secret secret);
    create constraint trigger demand_change after insert or update or delete on things
      deferrable initially deferred for each row execute function demand_change('settings', '1')`)
  const place = (column: string, row: number) => ({ table: 'things', column, row })
  const bytes = (column: string) =>
    Array.from({ length: count }, (_, n) => opened(former).encrypt(place(column, n), `${column} ${n}`).toString('hex'))
  const [ones, others] = [bytes('one'), bytes('other')]
  const values = ones.map((one, n) => `(${n}, 'thing ${n}', '\\x${one}', ${n % 2 ? 'null' : `'\\x${others[n]}'`})`)
  await portal.meddle('settings', 1, `insert into things values ${values.join()}`)
  const uuid = '6f1c2a9e-8a53-4f0c-9c5e-0d8f1b6f7a21'
  const secret = opened(former).encrypt({ table: 'others', column: 'secret', row: uuid }, 'of a uuid')
  await portal.sql('insert into others values ($1, $2)', [uuid, secret])
}
const readThings = () =>
  portal.sql<{ id: number; name: string; one: Buffer | null; other: Buffer | null }>('select * from things order by id')

/** The secrets of the things, read with a key; 'unreadable' for those of another key. */
async function readSecrets(present: Buffer) {
  const read = (column: 'one' | 'other', row: number, bytes: Buffer | null) => {
    try {
      return bytes && opened(present).decrypt({ table: 'things', column, row }, bytes)
    } catch {
      return 'unreadable'
    }
  }
  return (await readThings()).map(({ id, one, other }) => [read('one', id, one), read('other', id, other)])
}
const expected = (count: number) => Array.from({ length: count }, (_, n) => [`one ${n}`, n % 2 ? null : `other ${n}`])

test('every secret is encrypted with the new key, in all tables and columns, and nothing else changes', async () => {
  await makeTables(1201)
  assert.deepEqual(await readSecrets(former), expected(1201))
  const names = (await readThings()).map(({ name }) => name)
  const traces = await portal.traces(async () => {
    assert.deepEqual(await on((client) => rotateSecrets(client, key, former)), { rotated: 1201 + 601 + 1, unreadable: [] })
  })
  assert.deepEqual(traces, { audit: [], histories: [], notices: [], events: [] })
  assert.deepEqual(await readSecrets(key), expected(1201))
  assert.deepEqual(
    (await readThings()).map(({ name }) => name),
    names,
  )
  const [other] = await portal.sql<{ key: string; secret: Buffer }>('select * from others')
  assert.equal(opened(key).decrypt({ table: 'others', column: 'secret', row: other!.key }, other!.secret), 'of a uuid')
  assert.deepEqual(await on((client) => rotateSecrets(client, key, former)), { rotated: 0, unreadable: [] })
})

test('a rotation that was cut off goes on where it stopped', async () => {
  await makeTables(20)
  const half = opened(key).encrypt({ table: 'things', column: 'one', row: 3 }, 'one 3')
  await portal.meddle('settings', 1, `update things set one = '\\x${half.toString('hex')}' where id = 3`)
  assert.deepEqual(await on((client) => rotateSecrets(client, key, former)), { rotated: 20 + 10, unreadable: [] })
  assert.deepEqual(await readSecrets(key), expected(20))
})

test('a secret that neither key decrypts, such as one moved from another row, is reported and left as it is', async () => {
  await makeTables(4)
  await portal.meddle('settings', 1, 'update things set one = (select one from things where id = 2) where id = 1')
  assert.deepEqual(await on((client) => rotateSecrets(client, key, former)), { rotated: 3 + 2 + 1, unreadable: ['things.one of 1'] })
  assert.deepEqual((await readSecrets(key))[1], ['unreadable', null])
})

test('forgetting takes away every secret, and nothing else', async () => {
  await makeTables(5)
  assert.equal(await on(hasSecrets), true)
  assert.equal(await on(forgetSecrets), 5 + 3 + 1)
  assert.equal(await on(hasSecrets), false)
  assert.deepEqual(await readSecrets(key), Array(5).fill([null, null]))
})

test('while secrets are rewritten, nothing else in a row may change without a recorded change', async () => {
  await makeTables(2)
  const rewriting = `begin; select set_config('portal.rewrites_secrets', 'on', true)`
  await assert.rejects(portal.sql(`${rewriting}; update things set one = null, name = 'other'; commit`), { code: 'BW001' })
  await assert.rejects(portal.sql(`${rewriting}; update users set display_name_en = 'Other' where id = 1; commit`), { code: 'BW001' })
  await assert.rejects(portal.sql(`${rewriting}; delete from things; commit`), { code: 'BW001' })
  await assert.rejects(portal.sql('begin; update things set one = null; commit'), { code: 'BW001' })
})

test('every column of secrets is nullable, in a table whose key is one column', async () => {
  await portal.sql('drop table if exists things, others')
  const wrong = await portal.sql(`
    select c.relname, attname from pg_attribute a join pg_class c on c.oid = attrelid
    where atttypid = 'secret'::regtype and not attisdropped and c.relkind in ('r', 'p') and (attnotnull or not exists (
      select from pg_index where indrelid = c.oid and indisprimary and indnkeyatts = 1))`)
  assert.deepEqual(wrong, [])
})
