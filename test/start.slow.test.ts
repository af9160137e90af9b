import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { serversOf } from './clusters.ts'
import { PASSWORD, until } from './portal.ts'
import { portals } from './process.ts'

const { makeFolder, makeMigratedDatabase, makeUsedFolder, runScript, startInVain, startPortal } = portals()

test('ADMIN_* define the first administrator, and are ignored once there is one', async () => {
  const own = { DATABASE_URL: (await makeMigratedDatabase()).url, DATA_DIR: makeFolder() }
  const huda = { ADMIN_USERNAME: 'هدى', ADMIN_EMAIL: 'huda@example.org', ADMIN_PASSWORD: PASSWORD }
  const first = await startPortal({ ...own, ...huda })
  assert.equal((await (await first.stranger().signIn('هدى')).get('/auth/me')).body.email, 'huda@example.org')
  await first.stop()
  assert.doesNotMatch(first.printed.out, /First|battery/)

  const second = await startPortal({ ...own, ADMIN_USERNAME: 'salem', ADMIN_PASSWORD: PASSWORD })
  const people = (await (await second.stranger().signIn('huda@example.org')).get('/users')).body
  assert.deepEqual(
    people.map(({ username }: { username: string }) => username),
    ['هدى'],
  )
})

test('no first administrator is created while any administrator is active', async () => {
  const own = { DATABASE_URL: (await makeMigratedDatabase()).url, DATA_DIR: makeFolder() }
  const first = await startPortal({ ...own, ADMIN_PASSWORD: PASSWORD })
  const admin = await first.stranger().signIn('admin')
  const { id } = (await admin.post('/users', { username: 'salem', email: 'salem@example.org', password: PASSWORD })).body
  await admin.post(`/users/${id}/roles`, { roleName: 'admin' })
  const salem = await first.stranger().signIn('salem')
  assert.equal((await salem.delete(`/users/${admin.id}`)).status, 204)
  await first.stop()

  const second = await startPortal(own)
  assert.doesNotMatch(second.printed.out, /First/)
  assert.equal((await (await second.stranger().signIn('salem')).get('/users')).body.length, 1)
})

const wrong: [name: string, value: string, message: RegExp][] = [
  ['PORT', '70000', /^Bawaba cannot start: PORT: got "70000", takes a whole number from 0 to 65535\n$/],
  ['ADMIN_PASSWORD', 'short', /^Bawaba cannot start: ADMIN_PASSWORD: got 5 characters, takes [^\n]+\n$/],
  ['DATABASE_URL', 'mysql://root:hidden@localhost/x', /^Bawaba cannot start: DATABASE_URL: got a value that is not shown, takes [^\n]+\n$/],
]
for (const [name, value, message] of wrong)
  test(`a wrong ${name} stops the start with one line, and nothing is created`, async () => {
    const DATA_DIR = join(makeFolder(), 'data')
    const { code, out, err } = await startInVain({ DATA_DIR, [name]: value })
    assert.match(err, message)
    assert.deepEqual([code, out, existsSync(DATA_DIR)], [1, '', false])
  })

async function takePort() {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  return { other, port: String((other.address() as { port: number }).port) }
}

for (const [name, settings] of [
  ['PORT', {}],
  ['PORT with workers', { WORKERS: '2' }],
  ['METRICS_PORT', { PORT: '0' }],
] as const)
  test(`a ${name} in use stops the start with one line, and no database is left`, async () => {
    const DATA_DIR = await makeUsedFolder()
    const { other, port } = await takePort()
    const { code, out, err } = await startInVain({
      DATA_DIR,
      PORT: port,
      ...(name === 'METRICS_PORT' && { METRICS_PORT: port }),
      ...settings,
    })
    other.close()
    assert.equal(err, `Bawaba cannot start: 127.0.0.1:${port} is already in use\n`)
    assert.equal(code, 1)
    assert.doesNotMatch(out, /ready/)
    await until('no process of the database is left', () => serversOf(DATA_DIR).length === 0)
  })

test('the generated password of an administrator survives a start that fails later', async () => {
  const own = { DATABASE_URL: (await makeMigratedDatabase()).url, DATA_DIR: makeFolder() }
  const { other, port } = await takePort()
  const failed = await startInVain({ ...own, PORT: port })
  other.close()
  const [, password] = /password (\S+)/.exec(failed.out)!
  const portal = await startPortal(own)
  await portal.stranger().signIn('admin', password)
  assert.doesNotMatch(portal.printed.out, /password/)
})

test('the ready line has the URL; a second portal on the same folder is refused with one line, and the first continues', async () => {
  const DATA_DIR = await makeUsedFolder()
  const first = await startPortal({ DATA_DIR })
  assert.equal(first.publicUrl, `http://localhost:${first.port}`)
  const { code, err } = await startInVain({ DATA_DIR })
  assert.match(err, /^Bawaba cannot start: another portal is running on [^\n]+\n$/)
  assert.equal(code, 1)
  assert.deepEqual((await first.stranger().get('/healthz')).body, { status: 'ok' })
})

test('the operator issues a reset link while the portal runs and while it is stopped, by username or email address', async () => {
  const DATA_DIR = await makeUsedFolder()
  const first = await startPortal({ DATA_DIR })
  const linkFor = (name: string) => runScript('admin', ['reset-link', name], { DATA_DIR, PUBLIC_URL: 'https://portal.example.org/in' })

  const running = await linkFor('ADMIN')
  assert.match(running.out, /^https:\/\/portal\.example\.org\/in\/reset-password\?token=[\w-]{43}\nWorks once, until \S+Z\.\n$/)
  const [, earlier] = /token=(\S+)/.exec(running.out)!
  await first.stop()

  const stopped = await linkFor('admin@localhost')
  assert.deepEqual([running.code, stopped.code, serversOf(DATA_DIR)], [0, 0, []])
  const [, token] = /token=(\S+)/.exec(stopped.out)!
  const portal = await startPortal({ DATA_DIR })
  const reset = (token: string) => portal.stranger().post('/auth/reset-password', { token, newPassword: 'a new password' })
  assert.equal((await reset(earlier!)).body.code, 'invalid_token')
  assert.deepEqual((await reset(token!)).body, { success: true })
  await portal.stranger().signIn('admin', 'a new password')
})

test("an operator's command that fails ends with one line", async () => {
  const DATA_DIR = await makeUsedFolder()
  await startPortal({ DATA_DIR })
  for (const [args, message] of [
    [['reset-link', 'nobody'], /^there is no user nobody\n$/],
    [['reset-link'], /^Usage: [^\n]+\n$/],
    [['dance', 'admin'], /^Usage: [^\n]+\n$/],
  ] as const) {
    const { code, out, err } = await runScript('admin', [...args], { DATA_DIR })
    assert.match(err, message)
    assert.deepEqual([code, out], [1, ''])
  }
})
