import assert from 'node:assert/strict'
import { chmodSync, chownSync, mkdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { afterEach, test } from 'node:test'
import { prepareSocketFolder } from './cluster.ts'

const owner = { uid: process.getuid!(), gid: process.getgid!() }
const cluster = `/${`${process.pid}`.padEnd(200, 'x')}/postgres`
const folder = await prepareSocketFolder(cluster, owner)
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('the socket is in the cluster itself or, if its path is long, always in the same private folder', async () => {
  assert.equal(await prepareSocketFolder('/short/postgres', owner), '/short/postgres')
  assert.equal(statSync(folder).mode & 0o7777, 0o700)
  assert.equal(await prepareSocketFolder(cluster, owner), folder)
})

const strangers: [what: string, make: () => void][] = [
  ['a file', () => writeFileSync(folder, '', { mode: 0o700 })],
  ['a link to a folder', () => symlinkSync(tmpdir(), folder)],
  ['a folder that others may enter', () => mkdirSync(folder)],
]
if (owner.uid === 0)
  strangers.push([
    'somebody else’s folder',
    () => {
      mkdirSync(folder, { mode: 0o700 })
      chownSync(folder, 12345, 12345)
    },
  ])
for (const [what, make] of strangers)
  test(`${what} in place of the private folder stops the start with an error of one line`, async () => {
    make()
    if (what.startsWith('a folder')) chmodSync(folder, 0o755)
    await assert.rejects(prepareSocketFolder(cluster, owner), {
      message: `${folder} is not a private folder of user ${owner.uid}; remove it`,
    })
  })
