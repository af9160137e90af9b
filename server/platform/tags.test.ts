import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makers } from '../../test/makers.ts'
import { testPortal } from '../../test/portal.ts'
import { isFresh, namesTag } from './tags.ts'

const TAG = '"n4bQgYhM-br"'
const naming = [
  TAG,
  '*',
  ` ${TAG} `,
  `"x", ${TAG}`,
  `"x",${TAG},"y"`,
  `W/${TAG}`,
  '"n4bQgYhM-br-gzip"',
  '"n4bQgYhM-br;gzip"',
  '"n4bQgYhM-br--gzip"',
  '"n4bQgYhM-br-br"',
  '"n4bQgYhM-br-zstd"',
  'W/"n4bQgYhM-br-gzip"',
  '"x", W/"n4bQgYhM-br;gzip"',
  '"n4bQgYhM-br"-gzip',
]
const others = [
  '',
  '"',
  '""',
  'W/""',
  '"*"',
  'W/*',
  '"n4bQgYhM"',
  '"n4bQgYhM-gzip"',
  'n4bQgYhM-br',
  '"n4bQgYhM-brx"',
  '"n4bQgYhM-br-x"',
  '"n4bQgYhM-br-"',
  '"xn4bQgYhM-br"',
  'X/"n4bQgYhM-br"',
  '"n4bQgYhM-br',
  '"n4bQgYhM-br" "x"',
  'W/ "n4bQgYhM-br"',
]
for (const header of naming) test(`${header} names the tag`, () => assert.equal(namesTag(header, TAG), true))
for (const header of others) test(`${header || 'an empty header'} does not name the tag`, () => assert.equal(namesTag(header, TAG), false))

test('a long header is read in linear time', () => {
  const start = performance.now()
  for (const part of ['-', '-gzip', '"', 'W/"', ',', '"n4bQgYhM-br-gzip']) namesTag(part.repeat(16_000 / part.length), TAG)
  assert.ok(performance.now() - start < 100)
})

test('bytes are fresh if the caller sends their tag, even with a proxy’s mark', () => {
  const since = { 'if-modified-since': 'Sun, 01 Mar 2026 08:30:00 GMT' }
  const stored = { etag: TAG, 'last-modified': 'Sun, 01 Mar 2026 08:00:00 GMT' }
  for (const header of naming) assert.equal(isFresh({ 'if-none-match': header }, stored), true, header)
  for (const header of others.slice(1)) assert.equal(isFresh({ 'if-none-match': header, ...since }, stored), false, header)
  assert.deepEqual([isFresh(since, stored), isFresh({}, stored)], [true, false])
})

const portal = testPortal()
const make = makers(portal)
/** A tag as proxies that compress the answer rewrite it. */
const rewritten = [(tag: string) => `W/${tag}`, (tag: string) => tag.replace(/"$/, '-gzip"'), (tag: string) => tag.replace(/"$/, ';gzip"')]

test('a record is saved with a tag that a proxy has rewritten, but not over a newer state', async () => {
  const path = `/groups/${(await make.newGroup()).id}`
  const former = (await portal.admin.get(path)).headers.get('etag')!
  for (const [turn, rewrite] of rewritten.entries()) {
    const tag = rewrite((await portal.admin.get(path)).headers.get('etag')!)
    const save = (tag: string) => portal.admin.send('PATCH', path, { descriptionEn: `Number ${turn}` }, { 'if-match': tag })
    assert.equal((await save(`"x", ${tag}`)).status, 200, tag)
    assert.equal((await save(rewrite(former))).body.code, 'changed_meanwhile')
  }
})

test('a role’s permissions can be set, and a role deleted, with a rewritten tag', async () => {
  for (const rewrite of rewritten) {
    const role = `/roles/${(await make.newRole()).id}`
    const list = `${role}/permissions`
    const tagOf = async (path: string) => rewrite((await portal.admin.get(path)).headers.get('etag')!)
    assert.equal((await portal.admin.send('PUT', list, { permissionIds: [1] }, { 'if-match': await tagOf(list) })).status, 200)
    assert.equal((await portal.admin.send('DELETE', role, undefined, { 'if-match': await tagOf(role) })).status, 204)
  }
})
