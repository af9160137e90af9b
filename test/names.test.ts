/** Names and titles need a visible character; otherwise nobody could see or select the records that have them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endpoints } from '../server/lists/features.ts'
import { testPortal } from './portal.ts'

const portal = testPortal()

interface Schema {
  visible?: boolean
  pattern?: string
  enum?: unknown[]
  properties?: Record<string, Schema>
  items?: Schema
}
/** The fields of a body that hold a name or a title, by path. */
function* namesIn({ properties = {}, items }: Schema, at: string): Generator<[at: string, schema: Schema]> {
  for (const [name, schema] of Object.entries(properties)) {
    if (/^(site|display)?(name|title)(Ar|En)?$/i.test(name)) yield [`${at}.${name}`, schema]
    yield* namesIn(schema, `${at}.${name}`)
  }
  if (items) yield* namesIn(items, `${at}[]`)
}
/** Whether the field is the name of a claim, which no person reads as a title. */
const isOfClaim = ([at]: [at: string, schema: Schema]) => at.includes('.claims.')
const names = endpoints.flatMap(({ at, body }) => [...namesIn((body ?? {}) as Schema, at)]).filter((one) => !isOfClaim(one))

test('every name and title in a request needs a visible character', () => {
  assert.ok(names.length > 30)
  const lax = names.filter(([, { visible, pattern }]) => !visible && pattern === undefined).map(([at]) => at)
  assert.deepEqual(lax, [], 'make them of `Name` in server/platform/http/shape.ts')
})

const invisible = ['\u3164', '\u200b\u2060', '\u115f \uffa0', '\u2800', '\u0301', '\u{e0041}']
const takers: [what: string, method: 'POST' | 'PATCH', path: string, body: (name: string) => object, field: string][] = [
  ['a group', 'POST', '/groups', (name) => ({ name }), 'name'],
  ['a person', 'PATCH', '/auth/me/profile', (displayNameAr) => ({ displayNameAr }), 'displayNameAr'],
  ['a service', 'POST', '/services', (nameAr) => ({ nameAr, nameEn: 'Tea' }), 'nameAr'],
  ['a note', 'POST', '/notes', (title) => ({ title, content: 'Text' }), 'title'],
  ['a folder', 'POST', '/notes/folders', (name) => ({ name }), 'name'],
  ['a meeting', 'POST', '/executive-meetings', (titleEn) => ({ date: '2030-01-02', titleAr: 'لقاء', titleEn }), 'titleEn'],
]
for (const [what, method, path, bodyOf, field] of takers)
  test(`an invisible name of ${what} is refused`, async () => {
    for (const name of invisible) {
      const { status, body } = await portal.admin.send(method, path, bodyOf(name))
      const said = body.details?.map(({ path, rule }: { path: string; rule: string }) => [path, rule])
      assert.deepEqual([status, said], [400, [[field, 'visible']]], JSON.stringify(name))
    }
    for (const name of ['.', '😀', '١', 'ـ', 'हि']) assert.ok((await portal.admin.send(method, path, bodyOf(name))).status < 300, name)
  })
