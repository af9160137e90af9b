/** Checks the limits that `compose.yaml` sets for its containers. Needs no container engine. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

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

test('every image has an explicit version', () => {
  assert.equal(services.length, 2)
  for (const service of services) assert.match(service, /^ +(image|NODE_IMAGE): \$\{\w+:\?set \S+@sha256:/m)
  for (const [, from] of read('Dockerfile').matchAll(/^FROM (\S+)/gm)) assert.match(from!, /^\$\{NODE_IMAGE\}$/)
})
