/** Forms of services: their validation and versions, and the effects of a deletion of the service and its undo. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { servicesChanged, silence } from '../../../test/makers.ts'
import { seededPortal } from '../../../test/seed.ts'

const { portal, org, make } = seededPortal()

const text = (key: string, more: object = {}) => ({ key, kind: 'text', labelEn: key, ...more })
const options = [
  { key: 'tea', ar: 'شاي', en: 'Tea' },
  { key: 'water', en: 'Water' },
]
const drink = { key: 'drink', kind: 'choice', labelAr: 'المشروب', labelEn: 'Drink', options }
const formOf = async () => {
  const { id } = await make.newService()
  const path = `/services/${id}/form`
  return { id, path, put: (fields: unknown) => org.admin.put(path, { fields }), get: () => org.admin.get(path) }
}
const keysOf = (form: { fields: { key: string }[] }) => form.fields.map(({ key }) => key)

test('a service begins without a form, and each save makes a version unless it changes nothing', async () => {
  const form = await formOf()
  const { body: none } = await form.get()
  assert.deepEqual(none, { version: 0, fields: [], updatedAt: null })
  assert.deepEqual(await portal.traces(() => form.put([])), silence)
  const { audit, events, notices } = await portal.traces(() => form.put([drink, text('note')]))
  assert.deepEqual([events, notices], [[servicesChanged], []])
  assert.deepEqual(
    audit.map(({ action, metadata }) => [action, metadata]),
    [['service.form.update', { version: 1, addedKeys: ['drink', 'note'], removedKeys: [] }]],
  )
  assert.deepEqual(await portal.traces(() => form.put([drink, text('note')])), silence)
  const traces = await portal.traces(() => form.put([text('note'), text('more')]))
  assert.deepEqual(traces.audit[0]!.metadata, { version: 2, addedKeys: ['more'], removedKeys: ['drink'] })
  const { body } = await org.huda.get(form.path)
  assert.deepEqual([body.version, keysOf(body)], [2, ['note', 'more']])
  assert.deepEqual((await form.put([])).body.version, 3)
})

test('omitted settings have their defaults, and a field has only the settings of its kind', async () => {
  const form = await formOf()
  const base = { labelAr: null, labelEn: 'It', hintAr: null, hintEn: null, required: false, when: [] }
  const expected: Record<string, object> = {
    text: { maxLength: 200, pattern: 'any' },
    paragraph: { maxLength: 1000 },
    number: { min: null, max: null, decimals: 0, unitAr: null, unitEn: null },
    choice: { options: [{ key: 'tea', ar: null, en: 'Tea' }] },
    choices: { options: [{ key: 'tea', ar: null, en: 'Tea' }], least: null, most: null },
    items: { options: [{ key: 'tea', ar: null, en: 'Tea', most: 99 }], mostTotal: null },
    yes_no: { mustBeYes: false },
    date: { earliestDays: null, latestDays: null },
    person: {},
    wanted_at: { leadMinutes: 0, maxDays: 90, withinHours: false },
    files: { most: 1, types: 'any' },
    info: { textAr: null, textEn: 'Read' },
  }
  const kinds = Object.keys(expected)
  const fields = kinds.map((kind) => ({ key: kind, kind, labelEn: 'It', options: [{ key: 'tea', en: 'Tea' }], textEn: 'Read', most: null }))
  const { status, body, text } = await form.put(fields)
  assert.equal(status, 200, text)
  assert.deepEqual(
    body.fields,
    kinds.map((kind) => ({ key: kind, kind, ...base, ...expected[kind] })),
  )
  assert.deepEqual((await form.get()).body, body)
})

/** A form whose last field has this condition. */
const when = (condition: object) => [drink, text('a'), { key: 'n', kind: 'number', labelEn: 'N' }, text('b', { when: [condition] })]
const many = (count: number) => Array.from({ length: count }, (_, n) => ({ key: `o${n}`, en: 'One' }))
const refused: [what: string, fields: unknown, path: string, rule: string][] = [
  ['no list', 'a', 'fields', 'type'],
  ['no field', [1], 'fields.0', 'type'],
  ['a key in capitals', [text('Drink')], 'fields.0.key', 'pattern'],
  ['a key that is too long', [text('a'.repeat(33))], 'fields.0.key', 'maxLength'],
  ['the same key twice', [text('a'), text('a')], 'fields.1.key', 'uniqueItems'],
  ['an unknown kind', [{ ...text('a'), kind: 'colour' }], 'fields.0.kind', 'enum'],
  ['no label', [{ key: 'a', kind: 'text', labelAr: '', labelEn: null }], 'fields.0.labelAr', 'required'],
  ['a long label', [text('a', { labelEn: 'x'.repeat(201) })], 'fields.0.labelEn', 'maxLength'],
  ['an invisible label', [text('a', { labelEn: '\u200b' })], 'fields.0.labelEn', 'visible'],
  ['a long hint', [text('a', { hintAr: 'x'.repeat(501) })], 'fields.0.hintAr', 'maxLength'],
  ['a long text', [text('a', { maxLength: 501 })], 'fields.0.maxLength', 'maximum'],
  ['a long paragraph', [{ ...text('a'), kind: 'paragraph', maxLength: 4001 }], 'fields.0.maxLength', 'maximum'],
  ['bounds the wrong way round', [{ ...text('a'), kind: 'number', min: 2, max: 1 }], 'fields.0.max', 'minimum'],
  ['too many decimals', [{ ...text('a'), kind: 'number', decimals: 5 }], 'fields.0.decimals', 'maximum'],
  ['no options', [{ ...drink, options: [] }], 'fields.0.options', 'minItems'],
  ['options left out', [{ ...drink, options: undefined }], 'fields.0.options', 'minItems'],
  ['101 options', [{ ...drink, options: many(101) }], 'fields.0.options', 'maxItems'],
  ['the same option twice', [{ ...drink, options: [...options, options[0]] }], 'fields.0.options.2.key', 'uniqueItems'],
  ['an option without text', [{ ...drink, options: [{ key: 'a' }] }], 'fields.0.options.0.ar', 'required'],
  ['too many of an item', [{ ...drink, kind: 'items', options: [{ ...options[0], most: 1000 }] }], 'fields.0.options.0.most', 'maximum'],
  ['fewer at most than at least', [{ ...drink, kind: 'choices', least: 2, most: 1 }], 'fields.0.most', 'minimum'],
  ['more at least than there are', [{ ...drink, kind: 'choices', least: 3 }], 'fields.0.least', 'maximum'],
  ['days the wrong way round', [{ ...text('a'), kind: 'date', earliestDays: 2, latestDays: 1 }], 'fields.0.latestDays', 'minimum'],
  ['two moments', [1, 2].map((n) => ({ key: `m${n}`, kind: 'wanted_at', labelEn: 'When?' })), 'fields.1.kind', 'uniqueItems'],
  ['a moment too far ahead', [{ ...text('a'), kind: 'wanted_at', maxDays: 367 }], 'fields.0.maxDays', 'maximum'],
  ['too many files', [{ ...text('a'), kind: 'files', most: 6 }], 'fields.0.most', 'maximum'],
  ['information without text', [{ ...text('a'), kind: 'info' }], 'fields.0.textAr', 'required'],
  ['a condition on nothing', when({ field: 'x', op: 'any', value: ['tea'] }), 'fields.3.when.0', 'when'],
  ['a condition on itself', when({ field: 'b', op: 'any', value: ['tea'] }), 'fields.3.when.0', 'when'],
  ['a condition on a later field', when({ field: 'a', op: 'any', value: ['tea'] }).toReversed(), 'fields.0.when.0', 'when'],
  ['a condition on a text', when({ field: 'a', op: 'any', value: ['tea'] }), 'fields.3.when.0', 'when'],
  ['a condition on an option that is missing', when({ field: 'drink', op: 'none', value: ['juice'] }), 'fields.3.when.0', 'when'],
  ['a condition that compares a choice', when({ field: 'drink', op: 'atLeast', value: 1 }), 'fields.3.when.0', 'when'],
  ['a condition that lists numbers', when({ field: 'n', op: 'atMost', value: ['1'] }), 'fields.3.when.0', 'when'],
  ['a condition with yes on a choice', when({ field: 'drink', op: 'any', value: [true] }), 'fields.3.when.0', 'when'],
  ['a condition on no option', when({ field: 'drink', op: 'any', value: [] }), 'fields.3.when.0.value', 'minItems'],
  [
    'four conditions',
    [drink, text('a', { when: Array(4).fill({ field: 'drink', op: 'any', value: ['tea'] }) })],
    'fields.1.when',
    'maxItems',
  ],
]
test('a form that breaks a rule is refused with the path and the rule', async () => {
  const form = await formOf()
  for (const [what, fields, path, rule] of refused) {
    const { status, body } = await form.put(fields)
    assert.deepEqual([status, body.code], [400, 'validation_failed'], what)
    assert.ok(
      body.details.some((detail: { path: string; rule: string }) => detail.path === path && detail.rule === rule),
      `${what}: ${JSON.stringify(body.details)}`,
    )
  }
  assert.equal((await form.get()).body.version, 0)
})

test('a form beyond a limit is refused, and a form at the limit is accepted', async () => {
  const form = await formOf()
  const texts = (count: number) => Array.from({ length: count }, (_, n) => text(`f${n}`))
  const choices = (...counts: number[]) => counts.map((count, n) => ({ ...drink, key: `c${n}`, options: many(count) }))
  const long = (count: number) => texts(count).map((one) => ({ ...one, hintAr: 'ط'.repeat(500), hintEn: 'x'.repeat(500) }))
  const tooMany = [texts(61), choices(100, 100, 1), long(60)]
  for (const fields of tooMany) {
    const { status, body } = await form.put(fields)
    assert.deepEqual([status, body.code], [400, 'too_many_items'])
    assert.doesNotMatch(body.messageEn, /review/)
  }
  for (const fields of [texts(60), choices(100, 100), long(30)]) assert.equal((await form.put(fields)).status, 200)
  await portal.meddle('service', form.id, `update service_forms set version = 1000 where service_id = ${form.id} and version = 3`)
  assert.equal((await form.put(texts(1))).body.code, 'too_many_items')
  assert.equal((await form.put(long(30))).status, 200)
})

test('a key keeps its kind, even after versions without it', async () => {
  const form = await formOf()
  await form.put([text('a')])
  await form.put([text('b')])
  for (const kind of ['number', 'paragraph', 'info']) {
    const { body } = await form.put([
      { key: 'b', kind: 'text', labelEn: 'B' },
      { key: 'a', kind, labelEn: 'A', textEn: 'Read' },
    ])
    assert.deepEqual([body.details[0].path, body.details[0].rule], ['fields.1.kind', 'kindFixed'])
  }
  assert.equal((await form.put([text('a', { maxLength: 5 })])).body.version, 3)
  assert.equal((await (await formOf()).put([{ key: 'a', kind: 'number', labelEn: 'A' }])).status, 200)
})

test('of two simultaneous changes of a form, one is refused with the form that the other has saved', async () => {
  const form = await formOf()
  const { headers } = await form.get()
  const ifMatch = { 'if-match': headers.get('etag')! }
  const answers = await Promise.all(['a', 'b'].map((key) => org.admin.send('PUT', form.path, { fields: [text(key)] }, ifMatch)))
  const [done, late] = answers.toSorted((one, other) => one.status - other.status)
  assert.deepEqual([done!.status, late!.status, late!.body.code], [200, 412, 'changed_meanwhile'])
  assert.deepEqual(late!.body.current, done!.body)
})

test('only administrators can read earlier versions, and the form is not found by people who may not know the service', async () => {
  const form = await formOf()
  await form.put([text('a')])
  await form.put([text('b')])
  const version = (n: number | string, who = org.admin) => who.get(`${form.path}?version=${n}`)
  assert.deepEqual([keysOf((await version(1)).body), keysOf((await version(2)).body)], [['a'], ['b']])
  for (const never of [3, 0, -1, 1001]) assert.equal((await version(never)).status, 404)
  for (const bad of ['x', '1.5', '2147483648']) assert.equal((await version(bad)).status, 400)
  assert.equal((await version(1, org.huda)).status, 403)
  assert.equal((await org.huda.put(form.path, { fields: [] })).status, 403)
  await org.admin.put(`/services/${form.id}/handling`, { audience: 'groups', audienceGroupIds: [(await make.newGroup()).id] })
  assert.equal((await org.huda.get(form.path)).status, 404)
  assert.equal((await org.admin.get('/services/999999/form')).status, 404)
  assert.equal((await org.admin.put('/services/999999/form', { fields: [] })).status, 404)
})

test('sold-out options must be in the form, and leave the notice when their field is removed', async () => {
  const form = await formOf()
  const notice = `/services/${form.id}/notice`
  const off = (offOptions: unknown) => org.admin.put(notice, { offOptions })
  assert.deepEqual((await off(['drink.tea'])).body.details[0].rule, 'option')
  await form.put([drink, { ...drink, key: 'other' }])
  assert.deepEqual((await off(['drink.tea', 'drink.juice'])).body.details[0].path, 'offOptions.1')
  assert.deepEqual((await off(['drink'])).body.details[0].rule, 'pattern')
  assert.deepEqual((await off(['other.tea', 'drink.tea', 'drink.tea'])).body.offOptions, ['drink.tea', 'other.tea'])
  const entry = async () => (await org.huda.get(`/service-catalogue/${form.id}`)).body
  assert.deepEqual((await entry()).offOptions, ['drink.tea', 'other.tea'])
  await form.put([drink])
  assert.deepEqual([(await org.admin.get(notice)).body.offOptions, (await entry()).offOptions], [['drink.tea'], ['drink.tea']])
  await form.put([])
  assert.deepEqual((await org.admin.get(notice)).body.offOptions, [])
})

test('the catalogue has the version of a service’s form, and whether the form asks for the moment at which the order is wanted', async () => {
  const form = await formOf()
  const entry = async () => {
    const { formVersion, asksWantedAt } = (await org.huda.get(`/service-catalogue/${form.id}`)).body
    return [formVersion, asksWantedAt]
  }
  assert.deepEqual(await entry(), [null, false])
  await form.put([text('a')])
  assert.deepEqual(await entry(), [1, false])
  await form.put([text('a'), { key: 'at', kind: 'wanted_at', labelEn: 'When?' }])
  assert.deepEqual(await entry(), [2, true])
  await form.put([])
  assert.deepEqual(await entry(), [null, false])
})

test('an undone deletion restores a service’s form versions and sold-out options, and a forced deletion deletes the versions', async () => {
  const form = await formOf()
  await form.put([drink])
  const { body } = await form.put([drink, text('b')])
  await org.admin.put(`/services/${form.id}/notice`, { offOptions: ['drink.tea'] })
  await org.admin.delete(`/services/${form.id}`)
  const [entry] = (await org.admin.get('/admin/audit-logs?action=service.delete&limit=1')).body.entries
  assert.equal((await org.admin.post(`/admin/undo/${entry.id}`)).status, 200)
  assert.deepEqual((await form.get()).body, body)
  assert.deepEqual(keysOf((await org.admin.get(`${form.path}?version=1`)).body), ['drink'])
  assert.deepEqual((await org.admin.get(`/services/${form.id}/notice`)).body.offOptions, ['drink.tea'])
  assert.equal((await form.put([{ ...text('drink') }])).body.details[0].rule, 'kindFixed')
  await org.admin.delete(`/services/${form.id}?force=true`)
  const rows = await portal.sql(
    `select from service_forms where service_id = ${form.id} union all select from service_form_keys where service_id = ${form.id}`,
  )
  assert.equal(rows.length, 0)
})
