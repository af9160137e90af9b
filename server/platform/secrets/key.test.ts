import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { cloneDatabase } from '../../../test/portal.ts'
import { scratch } from '../../../test/scratch.ts'
import { readConfig } from '../config.ts'
import { withClient } from '../database/client.ts'
import { forgetKey, settleSecretsKey } from './key.ts'
import { openSecrets } from './secrets.ts'

const [key, former, third] = ['k', 'f', 't'].map((letter) => Buffer.alloc(32, letter).toString('base64url')) as [string, string, string]
const EXTERNAL = { DATABASE_URL: 'postgres://elsewhere/portal' }

const endings: (() => unknown)[] = []
after(async () => {
  for (const end of endings) await end()
})

/** Makes a database, and a folder for DATA_DIR. */
async function makeSite() {
  const { connection, drop } = await cloneDatabase()
  const folder = mkdtempSync(join(scratch, 'bawaba-secrets-'))
  endings.push(drop, () => rmSync(folder, { recursive: true }))
  const file = join(folder, 'secrets.key')
  const run = (statement: string) => withClient(connection, (client) => client.query(statement))
  const configOf = (env: Record<string, string>) => readConfig({ DATA_DIR: folder, ...env })
  return {
    file,
    /** The key after a start with these variables. */
    settle: async (env: Record<string, string> = {}) => (await settleSecretsKey(configOf(env), connection)).secretsKey,
    forget: (env: Record<string, string> = {}) => withClient(connection, (client) => forgetKey(client, configOf(env))),
    run,
    async addSecret(present: string) {
      const secret = openSecrets({ secretsKey: present }).encrypt({ table: 'things', column: 'secret', row: 1 }, 'x')
      await run(`create table things (id int primary key, secret secret); insert into things values (1, '\\x${secret.toString('hex')}')`)
    },
  }
}
const wrong = /^Error: SECRETS_KEY is not the key of the secrets in the database: [^\n]+forget-secrets$/

test('the embedded database gets a key once, in a file that only its owner may read', async () => {
  const { file, settle } = await makeSite()
  const made = await settle()
  assert.equal(readFileSync(file, 'utf8'), made)
  assert.equal(statSync(file).mode & 0o777, 0o600)
  assert.equal(Buffer.from(made!, 'base64url').length, 32)
  assert.equal(await settle(), made)
})

test('an external database without SECRETS_KEY has no key, and no file is made', async () => {
  const { file, settle, run } = await makeSite()
  assert.equal(await settle(EXTERNAL), undefined)
  assert.deepEqual([existsSync(file), (await run('select from secrets_key')).rowCount], [false, 0])
})

test('after the first key, a different one is refused, and the first one is still accepted', async () => {
  const { settle } = await makeSite()
  assert.equal(await settle({ ...EXTERNAL, SECRETS_KEY: key }), key)
  await assert.rejects(settle({ ...EXTERNAL, SECRETS_KEY: former }), wrong)
  assert.equal(await settle({ ...EXTERNAL, SECRETS_KEY: key }), key)
  assert.equal(await settle(EXTERNAL), undefined)
})

test('of two instances that start at once with different keys, one is refused', async () => {
  const { settle } = await makeSite()
  const started = await Promise.allSettled([key, former].map((SECRETS_KEY) => settle({ ...EXTERNAL, SECRETS_KEY })))
  assert.deepEqual(started.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected'])
})

test('a new key is accepted together with the former one, and not with a third one', async () => {
  const { settle } = await makeSite()
  await settle({ ...EXTERNAL, SECRETS_KEY: former })
  assert.equal(await settle({ ...EXTERNAL, SECRETS_KEY: key, SECRETS_KEY_BEFORE: former }), key)
  await assert.rejects(settle({ ...EXTERNAL, SECRETS_KEY: key, SECRETS_KEY_BEFORE: third }), wrong)
  // Until the secrets are rotated, the former key is right as well.
  assert.equal(await settle({ ...EXTERNAL, SECRETS_KEY: former }), former)
})

test('an embedded database without its key file gets a new key only while it has no secrets', async () => {
  const { file, settle, addSecret } = await makeSite()
  const first = (await settle())!
  rmSync(file)
  const second = (await settle())!
  assert.notEqual(second, first)
  await addSecret(second)
  rmSync(file)
  await assert.rejects(settle(), /^Error: \S+\/secrets\.key is missing, and the database has secrets of that key: [^\n]+forget-secrets$/)
  assert.ok(!existsSync(file))
  writeFileSync(file, `${first}\n`)
  await assert.rejects(settle(), /^Error: \S+\/secrets\.key is not the key of the secrets in the database: [^\n]+$/)
  writeFileSync(file, `${second}\n`)
  assert.equal(await settle(), second)
  rmSync(file)
  const third = await settle({ SECRETS_KEY_BEFORE: second })
  assert.equal(readFileSync(file, 'utf8'), third)
  assert.notEqual(third, second)
})

test('SECRETS_KEY is used instead of a file', async () => {
  const { file, settle } = await makeSite()
  assert.equal(await settle({ SECRETS_KEY: key }), key)
  assert.ok(!existsSync(file))
})

test('a file that holds no key stops the start, and stays as it is', async () => {
  const { file, settle } = await makeSite()
  for (const text of ['', 'hunter2', key.slice(1)]) {
    writeFileSync(file, text)
    await assert.rejects(settle(), /^Error: \S+ does not hold the 32 bytes of a key in base64url$/)
    assert.equal(readFileSync(file, 'utf8'), text)
  }
})

test('a lost key can be forgotten, but not the key that is configured', async () => {
  const { settle, forget, addSecret } = await makeSite()
  await settle({ ...EXTERNAL, SECRETS_KEY: former })
  await addSecret(former)
  await assert.rejects(forget({ ...EXTERNAL, SECRETS_KEY: former }), /nothing has to be forgotten$/)
  await forget({ ...EXTERNAL, SECRETS_KEY: key })
  assert.equal(await settle({ ...EXTERNAL, SECRETS_KEY: key }), key)
})
