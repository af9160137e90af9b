/** The image is built from `Dockerfile` without a container engine, and behaves as an operator expects. */
import assert from 'node:assert/strict'
import { execFileSync, type SpawnOptions, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statfsSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { freePort } from './free-port.ts'
import { Client, PASSWORD, until } from './portal.ts'
import { portals } from './process.ts'
import { needing } from './programs.ts'
import { portalRole } from './setup.ts'
import { openWay } from './tcp-way.ts'

const { makeDatabase } = portals()

const root = join(import.meta.dirname, '..')
const IMAGE = 'localhost/bawaba'
const BUILD = 'of-the-tests'
/** The uid of `node` in the official image. */
const NODE_UID = 1000
/** The space that a build may need, because each layer may be a copy of the whole image. */
const ROOM_BYTES = 8 * 1024 ** 3

const folder = mkdtempSync(join(tmpdir(), 'bawaba-image-'))
const options: SpawnOptions = { cwd: root, env: { ...process.env, BUILDAH_ISOLATION: 'chroot' } }
const storageOf = (driver: string) => ['--root', join(folder, driver), '--runroot', join(folder, 'run', driver), '--storage-driver', driver]
/** Layers are overlays; where the kernel refuses those, as in most containers, each is a copy. */
const layered = storageOf('overlay')
const atHand = spawnSync('buildah', [...layered, 'info'], options).status === 0 ? layered : storageOf('vfs')
function buildah(...args: string[]) {
  const { status, stdout, stderr } = spawnSync('buildah', [...atHand, ...args], { ...options, encoding: 'utf8', maxBuffer: 64 * 1024 ** 2 })
  assert.equal(status, 0, `buildah ${args[0]}: ${String(stderr).slice(-2000)}`)
  return String(stdout).trim()
}

/** Debian with Node and npm, in place of the base image of `Dockerfile`, which only a registry has. */
function makeBase() {
  const base = join(folder, 'base')
  execFileSync('debootstrap', ['--variant=minbase', '--include=ca-certificates', 'stable', base], { stdio: 'ignore' })
  const bin = join(base, 'usr', 'local', 'bin')
  const npm = realpathSync(join(execFileSync('which', ['npm'], { encoding: 'utf8' }).trim()))
  cpSync(process.execPath, join(bin, 'node'))
  cpSync(join(npm, '..', '..'), join(base, 'usr', 'local', 'lib', 'node_modules', 'npm'), { recursive: true, verbatimSymlinks: true })
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(bin, 'npm'))
  // The certificate authorities that this machine trusts.
  cpSync('/etc/ssl/certs/ca-certificates.crt', join(base, 'etc', 'ssl', 'certs', 'ca-certificates.crt'), { dereference: true })
  writeFileSync(join(base, 'etc', 'passwd'), `node:x:${NODE_UID}:${NODE_UID}::/home/node:/bin/sh\n`, { flag: 'a' })
  writeFileSync(join(base, 'etc', 'group'), `node:x:${NODE_UID}:\n`, { flag: 'a' })
  mkdirSync(join(base, 'home', 'node'))
  chownSync(join(base, 'home', 'node'), NODE_UID, NODE_UID)
  const container = buildah('from', 'scratch')
  buildah('copy', container, base, '/')
  buildah('config', '--env', 'NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt', container)
  buildah('run', container, 'npm', 'ping')
  const [, name] = /^ARG NODE_IMAGE=(\S+)$/m.exec(readFileSync(join(root, 'Dockerfile'), 'utf8'))!
  buildah('commit', '--rm', container, `docker.io/library/${name}`)
  rmSync(base, { recursive: true })
}

/** Whether the image can be built here: that needs root, the right to mount, space, and access to Debian’s and npm’s packages. */
function prepare(): { skip?: string } {
  const wanting = [needing('buildah'), needing('debootstrap')].find(({ skip }) => skip)
  if (wanting) return wanting
  const { bavail, bsize } = statfsSync(tmpdir())
  if (bavail * bsize < ROOM_BYTES) return { skip: 'too little room for an image' }
  try {
    makeBase()
    return {}
  } catch (error) {
    return { skip: `no image can be built on this machine: ${(error as Error).message.slice(0, 500)}` }
  }
}

const containers: string[] = []
const started: number[] = []
const ground = prepare()
after(async () => {
  for (const portal of started) if (isAlive(portal)) process.kill(portal, 'SIGKILL')
  await until('all have ended', () => !started.some(isAlive))
  for (const container of containers) buildah('rm', container)
  rmSync(folder, { recursive: true, force: true })
})

/** A process and its descendants; any of its threads may have started them. */
function below(pid: number): number[] {
  const children = readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number),
  )
  return [pid, ...children.flatMap(below)]
}
const isPortal = (pid: number) =>
  /server\/main\.ts/.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8')) && /node$/.test(readlinkSync(`/proc/${pid}/exe`))
const isAlive = (pid: number) => existsSync(`/proc/${pid}`)
const userOf = (pid: number) => Number(/^Uid:\t(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1])

/** Starts a container with these variables and the command of the image. */
async function startContainer(variables: Record<string, string>) {
  const container = buildah('from', '--pull-never', IMAGE)
  containers.push(container)
  const PORT = String(await freePort())
  const env = Object.entries({ ...variables, PORT }).flatMap(([name, value]) => ['--env', `${name}=${value}`])
  const running = spawn('buildah', [...atHand, 'run', ...env, container, 'npm', 'start'], { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  const printed: string[] = []
  for (const output of [running.stdout!, running.stderr!]) output.setEncoding('utf8').on('data', (text) => printed.push(text))
  const ended = once(running, 'close').then(([code]) => code as number)
  await until('it is ready', () => {
    if (running.exitCode !== null) throw new Error(printed.join(''))
    return /^Bawaba is ready/m.test(printed.join(''))
  })
  const portal = below(running.pid!).find(isPortal)!
  started.push(portal)
  return {
    base: `http://127.0.0.1:${PORT}`,
    user: userOf(portal),
    // Read from outside, because on a busy machine `buildah run` loses the output of short commands.
    packages: () => readdirSync(`/proc/${portal}/cwd/node_modules`),
    checkHealth: () => buildah('run', '--env', `PORT=${PORT}`, container, ...healthCheck()),
    async stop() {
      process.kill(portal, 'SIGTERM')
      return ended
    },
  }
}

const healthCheck = (): string[] =>
  JSON.parse(/HEALTHCHECK [^\n]*\\\n {2}CMD (\[.*\])$/m.exec(readFileSync(join(root, 'Dockerfile'), 'utf8'))![1]!)

test('the image builds, serves pages and the API as an unprivileged user, reports its health, and stops when asked', ground, async () => {
  buildah('build', '--pull-never', '--build-arg', `BUILD=${BUILD}`, '--tag', IMAGE, '.')
  const portal = await startContainer({ ADMIN_PASSWORD: PASSWORD })
  assert.equal(portal.user, NODE_UID)
  const admin = await new Client(portal.base).signIn('admin')
  assert.equal((await admin.get('/system/version')).body.current.build, BUILD)
  assert.match(await (await fetch(portal.base, { headers: { accept: 'text/html' } })).text(), /<title>بوابة<\/title>/)
  const packages = portal.packages()
  assert.ok(packages.includes('fastify'))
  for (const name of ['bawaba-client', 'knip', 'vite']) assert.ok(!packages.includes(name), `${name} serves nobody`)
  portal.checkHealth()
  assert.equal(await portal.stop(), 0)
})

test('with the variables of compose.yaml, the container uses its external database in a role that owns nothing', ground, async () => {
  const { connection } = await makeDatabase()
  const way = await openWay(connection)
  const addressFor = ({ user, password }: { user: string; password: string }) =>
    `postgres://${user}:${encodeURIComponent(password)}@127.0.0.1:${way}/${connection.database}`
  const own: Record<string, string> = {
    DATABASE_URL: addressFor(portalRole() ?? (connection as { user: string; password: string })),
    DATABASE_OWNER_URL: addressFor(connection as { user: string; password: string }),
    ADMIN_PASSWORD: PASSWORD,
  }
  const [, service] = /^ {2}portal:\n([\s\S]*?)^ {2}\w/m.exec(readFileSync(join(root, 'compose.yaml'), 'utf8'))!
  const unset = (value: string) => value.replaceAll(/\$\{\w+:?-([^}]*)\}/g, '$1')
  const variables = [...service!.matchAll(/^ {6}([A-Z_]+): (.*)$/gm)].map(([, name, value]) => [name!, own[name!] ?? unset(value!)])
  assert.deepEqual(
    Object.keys(own).filter((name) => !variables.some(([known]) => known === name)),
    [],
  )
  const portal = await startContainer(Object.fromEntries(variables))
  const admin = await new Client(portal.base).signIn('admin')
  assert.equal((await admin.get('/users')).body.length, 1)
  assert.equal(await portal.stop(), 0)
})
