/** Every field error states the broken rule and its bounds, in a sentence that a form can show in either language. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endpoints } from '../server/lists/features.ts'
import { fieldRules } from '../server/platform/errors/field-errors.ts'
import { forms } from '../server/platform/errors/forms.ts'
import { testPortal } from './portal.ts'

const portal = testPortal()

/** Keywords of schemas that cannot refuse a value. */
const silent = [
  'title',
  'description',
  'examples',
  'default',
  'additionalProperties',
  'properties',
  'items',
  'form',
  'clears',
  'isCheckedAlone',
]

type Schema = Record<string, unknown>
function* schemasIn(schema: Schema, at: string): Generator<[at: string, schema: Schema]> {
  yield [at, schema]
  for (const [name, inner] of Object.entries((schema['properties'] ?? {}) as Record<string, Schema>))
    yield* schemasIn(inner, `${at}.${name}`)
  if (schema['items']) yield* schemasIn(schema['items'] as Schema, `${at}[]`)
}
const all = endpoints.flatMap((endpoint) =>
  (['params', 'query', 'body'] as const).flatMap((part) => {
    const shape = endpoint[part]
    return shape ? [...schemasIn(shape as unknown as Schema, `${endpoint.at} ${part}`)] : []
  }),
)

test('every keyword by which a request can be refused has a sentence', () => {
  const missing = all.flatMap(([at, schema]) =>
    Object.keys(schema)
      .filter((keyword) => !silent.includes(keyword) && !fieldRules.some((rule) => rule === keyword))
      .map((keyword) => `${at}: ${keyword}`),
  )
  assert.deepEqual(missing, [], 'write the rule in server/platform/errors/field-errors.ts')
})

test('every pattern has a name for its format', () => {
  const nameless = all.filter(([, schema]) => 'pattern' in schema && !(String(schema['form']) in forms)).map(([at]) => at)
  assert.deepEqual(nameless, [], 'name a `form` of server/platform/errors/forms.ts beside the pattern')
})

test('field errors have texts that a form can show beside each field, in both languages', async () => {
  const { status, body } = await portal.admin.post('/apps', { slug: 'Bad Slug', nameAr: 'x'.repeat(201), nameEn: '', sortOrder: 'first' })
  assert.equal(status, 400)
  const said = Object.fromEntries(body.details.map(({ path, ...rest }: { path: string }) => [path, rest]))
  assert.deepEqual(said['nameAr'], {
    rule: 'maxLength',
    params: { limit: 200 },
    message: 'Use at most 200 characters.',
    messageAr: 'استخدم 200 حرف على الأكثر.',
    messageEn: 'Use at most 200 characters.',
  })
  const rules = Object.entries(said).map(([path, { rule, params }]) => [path, rule, params])
  assert.deepEqual(rules.toSorted(), [
    ['color', 'required', {}],
    ['iconName', 'required', {}],
    ['nameAr', 'maxLength', { limit: 200 }],
    ['nameEn', 'minLength', { limit: 1 }],
    ['route', 'required', {}],
    ['slug', 'pattern', { form: 'slug' }],
    ['sortOrder', 'type', { type: 'integer' }],
  ])
})

const related: [at: string, path: string, rule: string][] = [
  ['/stats/admin?range=custom&from=2026-02-01&to=2026-01-01', 'from', 'order'],
  ['/executive-meetings?from=2026-02-01&to=2026-01-01', 'from', 'order'],
  ['/executive-meetings?from=2026-01-01&to=2027-01-01', 'to', 'maxDays'],
  ['/executive-meetings?date=2026-01-01&to=2027-01-01', 'date', 'exclusive'],
  ['/admin/audit-logs?from=2026-02-30', 'from', 'calendarDate'],
]
for (const [at, path, rule] of related)
  test(`${at} is refused with the rule that several fields break together, in both languages`, async () => {
    const { status, body } = await portal.admin.get(at)
    assert.deepEqual([status, body.details.length, body.details[0].path, body.details[0].rule], [400, 1, path, rule])
    assert.match(body.details[0].messageEn, /\.$/)
    assert.match(body.details[0].messageAr, /[\u0600-\u06ff].*\.$/)
  })

const dated: [method: string, path: string, body: object, field: string][] = [
  ['PATCH', '/executive-meetings/2147483647', { date: '2026-02-30' }, 'date'],
  ['PATCH', '/executive-meetings/tasks/2147483647', { dueDate: '2026-02-30' }, 'dueDate'],
  ['POST', '/executive-meetings/2147483647/requests', { type: 'reschedule', details: { date: '2026-02-30' } }, 'details.date'],
  ['POST', '/executive-meetings/2147483647/duplicate', { date: '2026-02-30' }, 'date'],
  ['PATCH', '/access-reviews/2147483647', { dueDate: '2026-02-30' }, 'dueDate'],
  ['PATCH', '/working-calendars/2147483647', { daysOff: [{ date: '2026-02-30' }] }, 'daysOff.0.date'],
]
for (const [method, path, body, field] of dated)
  test(`${method} ${path} refuses a day that the calendar does not have before it looks for the record`, async () => {
    const answer = await portal.admin.send(method, path, body)
    const [{ path: named, rule }] = answer.body.details ?? [{}]
    assert.deepEqual([answer.status, named, rule], [400, field, 'calendarDate'], answer.text)
  })
