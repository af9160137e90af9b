import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import { PASSWORD, until } from './portal.ts'
import { portals } from './process.ts'

const { makeFolder, makeMigratedDatabase, startPortal } = portals()

const own = async () => ({ DATABASE_URL: (await makeMigratedDatabase()).url, DATA_DIR: makeFolder(), ADMIN_PASSWORD: PASSWORD })
const start = async (settings: Record<string, string> = {}) => startPortal({ ...(await own()), ...settings })

/** Uses passwords, links and sessions in every way; returns every secret involved. */
async function liveThrough({ stranger }: Awaited<ReturnType<typeof start>>) {
  const secrets = [PASSWORD, 'first secret', 'second secret', 'third secret', 'a wrong guess']
  const huda = stranger()
  const person = { username: 'huda', email: 'huda@example.org', password: 'first secret' }
  assert.equal((await huda.post('/auth/register', person)).status, 201)
  secrets.push(huda.cookie.split('=')[1]!)
  await huda.post('/auth/login', { username: 'huda', password: 'a wrong guess' })
  assert.equal((await huda.post('/auth/me/password', { currentPassword: 'first secret', newPassword: 'second secret' })).status, 200)
  await huda.post('/auth/forgot-password', { identifier: 'huda' })

  const admin = await stranger().signIn('admin')
  secrets.push(admin.cookie.split('=')[1]!)
  const { id } = (await huda.get('/auth/me')).body
  const { resetUrl } = (await admin.post(`/auth/admin/users/${id}/issue-reset-link`)).body
  const token = new URL(resetUrl).searchParams.get('token')!
  secrets.push(token)
  await stranger().post('/auth/reset-password/verify', { token })
  await stranger().get(`/reset-password?token=${token}`)
  assert.equal((await stranger().post('/auth/reset-password', { token, newPassword: 'third secret' })).status, 200)
  const again = await stranger().signIn('huda', 'third secret')
  secrets.push(again.cookie.split('=')[1]!)
  await again.send('POST', '/auth/login', '{"username": "huda", "password": "third secret"')
  await again.post('/auth/logout')
  return secrets
}

test('every line but the ready line is an object, a call’s line has the id of its answer, and no secret is logged', async () => {
  const portal = await start({ LOG_LEVEL: 'trace' })
  const secrets = await liveThrough(portal)
  const asked = (await portal.stranger().get('/auth/me')).headers.get('x-request-id')
  await until('it is logged', () => portal.logged().some(({ reqId }) => reqId === asked))
  const { code, out, err } = await portal.stop()
  assert.deepEqual([code, err], [0, ''])
  for (const secret of secrets) assert.ok(!out.includes(secret), `${secret} was logged`)
  const [others, lines] = [out.split('\n').filter((line) => line && !line.startsWith('{')), portal.logged()]
  assert.deepEqual(others, [`Bawaba is ready at ${portal.publicUrl} (listening on 127.0.0.1:${portal.port})`])
  const line = lines.find(({ reqId }) => reqId === asked)!
  assert.deepEqual([line['method'], line['route'], line['status'], line['level']], ['GET', '/api/auth/me', 401, 20])
})

const levels: [name: string, expected: number[]][] = [
  ['info', [30]],
  ['warn', []],
  ['silent', []],
]
for (const [LOG_LEVEL, expected] of levels)
  test(`LOG_LEVEL ${LOG_LEVEL} sets the levels that are logged`, async () => {
    const portal = await start({ LOG_LEVEL })
    await portal.stranger().signIn('admin')
    await portal.stop()
    assert.deepEqual([...new Set(portal.logged().map(({ level }) => level))], expected)
  })

test('METRICS_PORT serves metrics by route, on their own port', async () => {
  const portal = await start({ METRICS_PORT: '0' })
  const admin = await portal.stranger().signIn('admin')
  await admin.get(`/users/${admin.id}`)
  await admin.get('/users/987654')
  await admin.get('/nowhere/987654')
  const line = await until('the port is known', () => portal.logged().find(({ msg }) => /metrics/.test(String(msg))))
  const measures = `http://127.0.0.1:${line['port']}`
  const text = await (await fetch(`${measures}/metrics`)).text()

  const counts = [...text.matchAll(/^http_request_duration_seconds_count\{(.*)\} (\d+)$/gm)].map(
    ([, labels, count]) => `${labels} ${count}`,
  )
  assert.deepEqual(counts.toSorted(), [
    'method="GET",route="/api/users/:id",status="200" 1',
    'method="GET",route="/api/users/:id",status="404" 1',
    'method="GET",route="none",status="404" 1',
    'method="POST",route="/api/auth/login",status="200" 1',
  ])
  assert.doesNotMatch(text, /987654/)
  for (const name of ['event_streams', 'database_connections', 'nodejs_eventloop_lag_seconds'])
    assert.match(text, new RegExp(`^${name}`, 'm'))
  assert.equal((await fetch(`${measures}/`)).status, 404)
  assert.equal((await fetch(`${portal.base}/metrics`)).status, 404)
  assert.equal((await admin.get('/metrics')).status, 404)
  assert.equal((await portal.stop()).code, 0)
})

test('a portal logs once that its file descriptors are used up, and once that some are free again', async () => {
  const portal = await startPortal(await own(), ['sh', '-c', 'ulimit -n 150; exec node server/main.ts'])
  const lines = (text: RegExp) => portal.logged().filter(({ msg }) => text.test(String(msg))).length
  const sockets = Array.from({ length: 150 }, () => connect(portal.port, '127.0.0.1').on('error', () => {}))
  await until('it says so', () => lines(/no file descriptors are left/))
  for (const socket of sockets) socket.destroy()
  await until('there are some again', () => lines(/file descriptors available again/))
  assert.equal(lines(/no file descriptors are left/), 1)
  await until('it answers', async () => (await fetch(`${portal.base}/api/healthz`).catch(() => null))?.status === 200)
})

/** An address of this machine at which only a server that listens on all addresses answers. */
const ELSEWHERE = '127.0.0.2'

const listeners: [where: string, settings: Record<string, string>, isShown: boolean][] = [
  ['at 127.0.0.1 alone', {}, false],
  ['where METRICS_HOST says', { METRICS_HOST: '0.0.0.0' }, true],
]
for (const [where, given, isShown] of listeners)
  test(`when the portal listens on every address, metrics are served ${where}`, async () => {
    const portal = await start({ HOST: '0.0.0.0', METRICS_PORT: '0', ...given })
    const { port } = await until('the port is known', () => portal.logged().find(({ msg }) => /metrics/.test(String(msg))))
    assert.equal((await fetch(`http://${ELSEWHERE}:${portal.port}/api/healthz`)).status, 200)
    assert.equal((await fetch(`http://127.0.0.1:${port}/metrics`)).status, 200)
    const asked = await fetch(`http://${ELSEWHERE}:${port}/metrics`).then(
      ({ status }) => status,
      ({ cause }) => cause.code,
    )
    assert.equal(asked, isShown ? 200 : 'ECONNREFUSED')
  })
