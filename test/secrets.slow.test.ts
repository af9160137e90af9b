/** The key of secrets, as operators meet it: at the start, in workers, in a backup, when it is changed, and when it is lost. */
import assert from 'node:assert/strict'
import { existsSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { withClient } from '../server/platform/database/client.ts'
import { borrowPostgres } from '../server/platform/postgres/server.ts'
import { openSecrets } from '../server/platform/secrets/secrets.ts'
import { portals } from './process.ts'

const { makeFolder, makeMigratedDatabase, makeUsedFolder, runScript, startInVain, startPortal } = portals()

const admin = (settings: Record<string, string>, ...args: string[]) => runScript('admin', args, settings)
const keyFileOf = (DATA_DIR: string) => join(DATA_DIR, 'secrets.key')
const [key, former] = ['k', 'f'].map((letter) => Buffer.alloc(32, letter).toString('base64url')) as [string, string]
const place = { table: 'things', column: 'secret', row: 1 }

/** Stores a secret in a new table of a portal that is not running. */
async function addSecret(DATA_DIR: string, text: string) {
  const secret = openSecrets({ secretsKey: readFileSync(keyFileOf(DATA_DIR), 'utf8') }).encrypt(place, text)
  await query(DATA_DIR, 'create table things (id int primary key, secret secret)')
  await query(DATA_DIR, `insert into things values (1, '\\x${secret.toString('hex')}')`)
}
async function query(DATA_DIR: string, statement: string) {
  const { owner, release } = await borrowPostgres(DATA_DIR)
  try {
    return await withClient(owner, async (client) => (await client.query<{ secret: Buffer | null }>(statement)).rows)
  } finally {
    await release()
  }
}
async function readSecret(DATA_DIR: string, secretsKey = readFileSync(keyFileOf(DATA_DIR), 'utf8')) {
  const [row] = await query(DATA_DIR, 'select secret from things')
  return row!.secret && openSecrets({ secretsKey }).decrypt(place, row!.secret)
}

test('the first start makes the key, later ones and workers use it, and it is in no backup', async () => {
  const DATA_DIR = makeFolder()
  await (await startPortal({ DATA_DIR })).stop()
  const made = readFileSync(keyFileOf(DATA_DIR), 'utf8')
  assert.equal(statSync(keyFileOf(DATA_DIR)).mode & 0o777, 0o600)
  await (await startPortal({ DATA_DIR, WORKERS: '2' })).stop()
  assert.equal(readFileSync(keyFileOf(DATA_DIR), 'utf8'), made)

  const file = join(makeFolder(), 'bawaba.backup')
  assert.equal((await admin({ DATA_DIR }, 'backup', file)).code, 0)
  const archive = gunzipSync(readFileSync(file))
  for (const form of [made, Buffer.from(made, 'base64url'), Buffer.from(made, 'base64url').toString('hex')])
    assert.ok(!archive.includes(form))
})

test('a restored portal with secrets starts with the key of the original, or once the secrets are forgotten', async () => {
  const DATA_DIR = await makeUsedFolder()
  const backUp = async () => {
    const [file, restored] = [join(makeFolder(), 'bawaba.backup'), makeFolder()]
    assert.equal((await admin({ DATA_DIR }, 'backup', file)).code, 0)
    const { code, err } = await admin({ DATA_DIR: restored }, 'restore', file)
    assert.deepEqual([code, err], [0, ''])
    return restored
  }
  const empty = await backUp()
  assert.ok(!existsSync(keyFileOf(empty)))
  await (await startPortal({ DATA_DIR: empty })).stop()
  assert.ok(existsSync(keyFileOf(empty)))

  rmSync(empty, { recursive: true })
  await addSecret(DATA_DIR, 'hunter2')
  // A backup contains only the tables of this version and not the test's own, so the original without its key stands for a restored portal.
  const lost = keyFileOf(DATA_DIR)
  renameSync(lost, `${lost}.elsewhere`)
  const { code, err } = await startInVain({ DATA_DIR })
  assert.equal(code, 1)
  assert.match(err, /^Bawaba cannot start: \S+secrets\.key is missing, and the database has secrets of that key: [^\n]+\n$/)

  renameSync(`${lost}.elsewhere`, lost)
  await (await startPortal({ DATA_DIR })).stop()
  assert.equal(await readSecret(DATA_DIR), 'hunter2')
  assert.match((await admin({ DATA_DIR }, 'forget-secrets')).err, /^the configured key is that of the secrets[^\n]*\n$/)

  rmSync(lost)
  assert.deepEqual(await admin({ DATA_DIR }, 'forget-secrets'), {
    ...{ code: 0, signal: null, err: '' },
    out: 'Forgot 1 secrets. The portal takes another key at its next start.\n',
  })
  await (await startPortal({ DATA_DIR })).stop()
  assert.equal(await readSecret(DATA_DIR), null)
})

test('the key is changed while the portal runs: every secret is encrypted again', async () => {
  const DATA_DIR = await makeUsedFolder()
  await (await startPortal({ DATA_DIR })).stop()
  await addSecret(DATA_DIR, 'hunter2')
  const SECRETS_KEY_BEFORE = readFileSync(keyFileOf(DATA_DIR), 'utf8')
  assert.match((await admin({ DATA_DIR }, 'rotate-secrets')).err, /^SECRETS_KEY_BEFORE: [^\n]+\n$/)

  rmSync(keyFileOf(DATA_DIR))
  const portal = await startPortal({ DATA_DIR, SECRETS_KEY_BEFORE })
  const rotated = await admin({ DATA_DIR, SECRETS_KEY_BEFORE }, 'rotate-secrets')
  assert.deepEqual([rotated.code, rotated.out, rotated.err], [0, 'Encrypted 1 secrets with the new key.\n', ''])
  await portal.stop()

  await (await startPortal({ DATA_DIR })).stop()
  assert.equal(await readSecret(DATA_DIR), 'hunter2')
  assert.match(
    (await startInVain({ DATA_DIR, SECRETS_KEY: SECRETS_KEY_BEFORE })).err,
    /^Bawaba cannot start: SECRETS_KEY is not the key of the secrets in the database: [^\n]+\n$/,
  )
})

test('with DATABASE_URL, a wrong key stops the start with one line, but a missing key does not', async () => {
  const { url: DATABASE_URL } = await makeMigratedDatabase()
  const DATA_DIR = makeFolder()
  const settings = { DATABASE_URL, DATA_DIR }
  await (await startPortal(settings)).stop()
  await (await startPortal({ ...settings, SECRETS_KEY: former })).stop()
  const { code, err } = await startInVain({ ...settings, SECRETS_KEY: key })
  assert.equal(code, 1)
  assert.match(err, /^Bawaba cannot start: SECRETS_KEY is not the key of the secrets in the database: [^\n]+\n$/)
  await (await startPortal(settings)).stop()
  assert.ok(!existsSync(keyFileOf(DATA_DIR)))
})
