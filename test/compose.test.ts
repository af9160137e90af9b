/** Checks the limits that `compose.yaml` sets for its containers. Needs no container engine. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { parseEnv } from 'node:util'
import { isSecretsKey } from '../server/platform/config.ts'
import { scratch } from './scratch.ts'

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')
const [, listed] = /^services:\n([\s\S]*?)^\w/m.exec(read('compose.yaml'))!
const services = listed!.split(/^ {2}(?=\w+:$)/m).filter(Boolean)
const LOCKS = [
  /^ {4}user: (?!root|0)\w+$/m,
  /^ {4}read_only: true$/m,
  /^ {4}cap_drop: \[ALL\]$/m,
  /^ {4}mem_limit: \d+[mg]$/m,
  /^ {4}pids_limit: \d+$/m,
]

for (const service of services)
  test(`the container ${service.split(':')[0]} has no needless rights, and a memory limit`, () => {
    for (const lock of [...LOCKS, /^ {4}security_opt: \["no-new-privileges:true"\]$/m]) assert.match(service, lock)
    assert.doesNotMatch(service, /cap_add|privileged: true|docker\.sock/)
  })

test('every image has a default version, and a variable can name another image', () => {
  assert.equal(services.length, 2)
  for (const service of services) assert.match(service, /^ +(image|NODE_IMAGE): \$\{\w+_IMAGE:-\w+:\d\S*\}$/m)
  for (const [, from] of read('Dockerfile').matchAll(/^FROM (\S+)/gm)) assert.match(from!, /^\$\{NODE_IMAGE\}$/)
})

/** A folder with the script, as on a fresh machine. `run` runs it. */
function madeEnv(t: { after(clear: () => void): void }) {
  const folder = mkdtempSync(join(scratch, 'bawaba-env-'))
  t.after(() => rmSync(folder, { recursive: true }))
  cpSync(fileURLToPath(new URL('../deploy', import.meta.url)), join(folder, 'deploy'), { recursive: true })
  const run = () => spawnSync('sh', [join(folder, 'deploy/make-env.sh')], { cwd: '/', encoding: 'utf8' })
  const file = join(folder, '.env')
  return { run, file, read: () => readFileSync(file, 'utf8') }
}

test('the script writes every variable that compose.yaml demands, in a file that only its owner can read', (t) => {
  const { run, file, read } = madeEnv(t)
  const { status, stderr } = run()
  assert.deepEqual([status, stderr], [0, ''])
  assert.equal(statSync(file).mode & 0o777, 0o600)
  const values = parseEnv(read()) as Record<string, string>
  const asked = [...readFileSync(new URL('../compose.yaml', import.meta.url), 'utf8').matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name!)
  assert.deepEqual(new Set(Object.keys(values)), new Set([...asked, 'SECRETS_KEY']))
  const { SECRETS_KEY: key, ...passwords } = values
  assert.ok(isSecretsKey(key!))
  for (const password of Object.values(passwords)) assert.match(password, /^[0-9a-f]{48}$/)
  assert.equal(new Set(Object.values(values)).size, asked.filter((name, at) => asked.indexOf(name) === at).length + 1)
})

test('the script never replaces a file, and each file has its own passwords', (t) => {
  const { run, read } = madeEnv(t)
  run()
  const first = read()
  const again = run()
  assert.equal(again.status, 1)
  assert.match(again.stderr, /^\.env is there already/)
  assert.equal(read(), first)
  const other = madeEnv(t)
  other.run()
  assert.notEqual(other.read(), first)
})
