/** Runs the examples of docs/operating.md: nginx, the systemd unit, HAProxy. */
import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer as createHttp } from 'node:http'
import { connect, type LookupFunction } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import pg from 'pg'
import { Agent, fetch } from 'undici'
import { makeCertificate } from './certificate.ts'
import { freePort } from './free-port.ts'
import { type Instance, openInstance, PASSWORD, testPortal, until } from './portal.ts'
import { needing } from './programs.ts'
import { openWay } from './tcp-way.ts'

const root = join(import.meta.dirname, '..')
/** The only code block of a language in the document. */
function shown(language: string) {
  const page = readFileSync(join(root, 'docs/operating.md'), 'utf8')
  const blocks = [...page.matchAll(/^```(\w+)\n(.*?)^```$/gms)].filter(([, name]) => name === language)
  assert.equal(blocks.length, 1)
  return blocks[0]![2]!
}
/** Replaces the values that differ in this test; each must occur. */
const withHere = (text: string, places: Record<string, string>) =>
  Object.entries(places).reduce((all, [there, here]) => {
    assert.ok(all.includes(there), there)
    return all.replaceAll(there, here)
  }, text)

const folder = mkdtempSync(join(tmpdir(), 'bawaba-operating-'))
const programs: ChildProcess[] = []
after(async () => {
  for (const program of programs) {
    if (program.exitCode !== null) continue
    // A SIGKILL would leave nginx’s worker running.
    program.kill('SIGTERM')
    await once(program, 'exit')
  }
  rmSync(folder, { recursive: true, force: true })
})
function run(program: string, args: string[]) {
  const child = spawn(program, args, { stdio: 'ignore' })
  programs.push(child)
  return child
}
const untilListening = (port: number) =>
  until('it listens', () => {
    const socket = connect(port, '127.0.0.1')
    return once(socket, 'connect').then(
      () => socket.destroy(),
      () => null,
    )
  })

const portal = testPortal()

test(
  'three instances behind nginx are restarted in turn without a failed request, and nginx buffers neither events nor uploads',
  needing('nginx'),
  async (t) => {
    const HOST = 'portal.example.org'
    const [front, ...ports] = await Promise.all([freePort(), freePort(), freePort(), freePort()])
    const { key, cert } = makeCertificate(HOST)
    writeFileSync(join(folder, 'portal.pem'), cert)
    writeFileSync(join(folder, 'portal.key'), key)
    const settings = { PUBLIC_URL: `https://${HOST}`, TRUST_PROXY: 'loopback' }
    const start = (port: number) => openInstance(portal.connection, { ...settings, PORT: String(port) })
    const instances: Instance[] = []
    for (const port of ports) instances.push(await start(port!))
    after(() => Promise.all(instances.map((instance) => instance.close())))

    const server = withHere(shown('nginx'), {
      '127.0.0.1:3000': `127.0.0.1:${ports[0]}`,
      '127.0.0.1:3001': `127.0.0.1:${ports[1]}`,
      '127.0.0.1:3002': `127.0.0.1:${ports[2]}`,
      'listen 443 ssl': `listen 127.0.0.1:${front} ssl`,
      '/etc/ssl/': `${folder}/`,
    })
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`).join(' ')
    writeFileSync(
      join(folder, 'nginx.conf'),
      `daemon off; pid ${folder}/nginx.pid; error_log ${folder}/error.log; events {}\nhttp { access_log off; ${temporary}\n${server} }`,
    )
    run('nginx', ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', join(folder, 'error.log')])
    await untilListening(front!)

    const here: LookupFunction = (_name, _options, found) => found(null, [{ address: '127.0.0.1', family: 4 }])
    const dispatcher = new Agent({ connect: { ca: cert, lookup: here } })
    after(() => dispatcher.close())
    let cookie = ''
    const ask = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
      fetch(`https://${HOST}:${front}${path}`, {
        method,
        dispatcher,
        headers: { cookie, origin: `https://${HOST}`, ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
        ...(body !== undefined && { body: Buffer.isBuffer(body) ? new Uint8Array(body) : JSON.stringify(body) }),
      })
    await portal.person('huda')
    const signedIn = await ask('POST', '/api/auth/login', { username: 'huda', password: PASSWORD }, { 'x-forwarded-for': '192.0.2.66' })
    assert.equal(signedIn.status, 200)
    cookie = signedIn.headers
      .getSetCookie()
      .find((one) => one.includes('portal_session='))!
      .split(';')[0]!
    assert.match(cookie, /^__Host-/)
    const [session] = await portal.sql<{ ip: string }>(
      `select facts ->> 'ip' as ip from ledger where kind = 'session.started' order by id desc limit 1`,
    )
    assert.equal(session!.ip, '127.0.0.1')

    const stream = await ask('GET', '/api/events')
    const reader = stream.body!.getReader()
    assert.match(Buffer.from((await reader.read()).value!).toString(), /retry/)
    await reader.cancel()
    const bytes = Buffer.alloc(3_000_000, 'x')
    const wanted = { name: 'a.txt', size: bytes.length, contentType: 'text/plain' }
    const place = (await (await ask('POST', '/api/storage/uploads/request-url', wanted)).json()) as { uploadURL: string }
    const { pathname, search } = new URL(place.uploadURL)
    assert.equal((await ask('PUT', pathname + search, bytes, { 'content-type': 'text/plain' })).status, 204)

    const statuses = new Map<number | string, number>()
    let isOver = false
    const note = (status: number | string) => statuses.set(status, (statuses.get(status) ?? 0) + 1)
    const keep = async (act: () => Promise<{ status: number; text(): Promise<string> }>) => {
      while (!isOver) {
        const answer = await act().catch((error: Error) => ({ status: String(error.cause ?? error), text: async () => '' }))
        await answer.text()
        note(answer.status)
      }
    }
    const working = Promise.all([
      keep(() => ask('GET', '/api/auth/me')),
      keep(() => ask('GET', '/api/notes')),
      keep(() => ask('POST', '/api/notes', { title: 'written' })),
      keep(() => ask('POST', '/api/notes', { title: 'written too' })),
    ])
    const answered = () => [...statuses.values()].reduce((sum, count) => sum + count, 0)
    for (const [at, port] of ports.entries()) {
      const before = answered()
      await until('work goes on', () => answered() > before + 20)
      await instances[at]!.close()
      instances[at] = await start(port!)
    }
    isOver = true
    await working
    t.diagnostic(`answers: ${[...statuses].map(([status, count]) => `${count} × ${status}`).join(', ')}`)
    assert.deepEqual([...statuses.keys()].toSorted(), [200, 201], readFileSync(join(folder, 'error.log'), 'utf8'))
  },
)

test('systemd accepts the unit', needing('systemd-analyze'), () => {
  const unit = join(folder, 'bawaba.service')
  writeFileSync(unit, withHere(shown('ini'), { '/opt/bawaba': root }))
  assert.equal(String(execFileSync('systemd-analyze', ['verify', unit], { stdio: 'pipe' })), '')
  // `npm start` has a supervisor that restarts the server; here that is systemd's task.
  const [, variables] = /^Environment=(.*)$/m.exec(shown('ini'))!
  const [, options] = /^ExecStart=\S+ (.*) server\/main\.ts$/m.exec(shown('ini'))!
  const { start } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).scripts
  assert.ok(start.endsWith(` ${variables} node ${options} server/start.ts`))
})

test('HAProxy connects to the primary, and closes connections to a server that stops being primary', needing('haproxy'), async () => {
  const databases = await Promise.all(
    [0, 1].map(async () => {
      const state = { isPrimary: false, taken: 0, port: 0, health: 0 }
      state.port = await openWay(portal.connection, () => state.taken++)
      const health = createHttp((_request, response) => response.writeHead(state.isPrimary ? 200 : 503).end()).listen(0, '127.0.0.1')
      await once(health, 'listening')
      state.health = (health.address() as { port: number }).port
      after(() => {
        health.close()
        health.closeAllConnections()
      })
      return state
    }),
  )
  const [one, two] = databases as [(typeof databases)[0], (typeof databases)[0]]
  one.isPrimary = true
  const front = await freePort()
  const file = join(folder, 'haproxy.cfg')
  const settings = withHere(shown('haproxy'), {
    '127.0.0.1:5000': `127.0.0.1:${front}`,
    'check port 8008 inter 1s': 'check inter 100ms',
    '10.0.0.1:5432': `127.0.0.1:${one.port} port ${one.health}`,
    '10.0.0.2:5432': `127.0.0.1:${two.port} port ${two.health}`,
  })
  writeFileSync(file, settings)
  run('haproxy', ['-db', '-f', file])
  await untilListening(front)
  const open = async () => {
    const client = new pg.Client({ ...portal.connection, host: '127.0.0.1', port: front })
    client.on('error', () => {})
    await client.connect()
    return client
  }
  // Until its first check, HAProxy takes every server for the primary.
  const client = await until('the primary alone is led to', async () => {
    const before = two.taken
    const clients = await Promise.all([open(), open(), open()]).catch(() => null)
    const [first, ...others] = clients ?? []
    for (const other of others) await other.end()
    if (first && two.taken === before) return first
    await first?.end()
    return null
  })
  assert.ok(one.taken > 0)
  const cut = once(client, 'end').catch(() => {})
  Object.assign(one, { isPrimary: false })
  Object.assign(two, { isPrimary: true })
  await cut
  const before = two.taken
  const next = await until('the other is found', () => open().catch(() => null))
  assert.ok(two.taken > before)
  await next.end()
})
