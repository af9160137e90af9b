/** Placing orders with answers to the form of the service. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Client } from '../../../test/portal.ts'
import { seededPortal } from '../../../test/seed.ts'

const { portal, org, make } = seededPortal()

const options = [
  { key: 'tea', ar: 'شاي', en: 'Tea' },
  { key: 'water', en: 'Water' },
]
const drink = { key: 'drink', kind: 'choice', labelEn: 'Drink', options }
const note = { key: 'note', kind: 'text', labelEn: 'Note' }

async function serviceWith(...fields: object[]) {
  const { id } = await make.newService()
  const put = async (...some: object[]) => {
    const { status, text } = await org.admin.put(`/services/${id}/form`, { fields: some })
    assert.equal(status, 200, text)
  }
  if (fields.length) await put(...fields)
  const order = (body: object = {}, who: Client = org.huda) => who.post('/orders', { serviceId: id, ...body })
  return { id, put, order }
}
const rulesIn = ({ status, body }: { status: number; body: { details?: { path: string; rule: string }[] } }) =>
  status === 400 ? Object.fromEntries(body.details!.map(({ path, rule }) => [path, rule])) : status
const detailsOf = async (id: number, who: Client = org.huda) => (await who.get(`/orders/${id}/details`)).body

test('an order keeps the answers to visible fields, under the version of its form', async () => {
  const sugar = { key: 'sugar', kind: 'number', labelEn: 'Sugar', required: true, when: [{ field: 'drink', op: 'any', value: ['tea'] }] }
  const cups = { key: 'cups', kind: 'items', labelEn: 'Cups', options }
  const service = await serviceWith(drink, sugar, cups, note)
  const answers = { drink: 'water', sugar: 3, cups: { water: 2, tea: 0 }, note: '  By the window ', other: 'x' }
  const { status, body: order } = await service.order({ formVersion: 1, answers, notes: 'Soon' })
  assert.equal(status, 201)
  const details = await detailsOf(order.id)
  assert.deepEqual(
    [order.notes, details.orderId, details.formVersion, details.answers, details.wantedAt],
    ['Soon', order.id, 1, { drink: 'water', cups: { water: 2 }, note: 'By the window' }, null],
  )
  assert.deepEqual(
    details.fields.map(({ key }: { key: string }) => key),
    ['drink', 'sugar', 'cups', 'note'],
  )
})

test('each wrong answer is named, however many there are', async () => {
  const fields = Array.from({ length: 60 }, (_, n) => ({ ...note, key: `note_${n}`, required: true }))
  const service = await serviceWith(...fields)
  assert.deepEqual(rulesIn(await service.order()), Object.fromEntries(fields.map(({ key }) => [`answers.${key}`, 'required'])))
})

test('a client that sends no answers can order unless a field is required', async () => {
  const service = await serviceWith(drink)
  const { status, body } = await service.order()
  assert.equal(status, 201)
  assert.deepEqual([(await detailsOf(body.id)).formVersion, (await detailsOf(body.id)).answers], [1, {}])
  await service.put({ ...drink, required: true }, { key: 'agreed', kind: 'yes_no', labelEn: 'Agreed?', mustBeYes: true })
  for (const given of [{}, { answers: null }, { answers: {} }, { answers: { drink: null } }])
    assert.deepEqual(rulesIn(await service.order(given)), { 'answers.drink': 'required', 'answers.agreed': 'required' })
})

test('answers to an earlier version are refused with the current form, and answers to an unknown version are invalid', async () => {
  const service = await serviceWith(drink)
  await service.put(drink, note)
  const { status, body } = await service.order({ formVersion: 1, answers: { drink: 'tea' } })
  assert.deepEqual([status, body.code], [409, 'form_changed'])
  assert.deepEqual(body.form, (await org.huda.get(`/services/${service.id}/form`)).body)
  assert.equal((await service.order({ formVersion: 0 })).body.code, 'form_changed')
  assert.deepEqual(rulesIn(await service.order({ formVersion: 3 })), { formVersion: 'exists' })
  assert.deepEqual(rulesIn(await service.order({ formVersion: -1 })), { formVersion: 'minimum' })
  for (const formVersion of [2, null]) assert.equal((await service.order({ formVersion, answers: { drink: 'tea' } })).status, 201)
  const plain = await serviceWith()
  assert.deepEqual(rulesIn(await plain.order({ formVersion: 1 })), { formVersion: 'exists' })
  assert.equal((await plain.order({ formVersion: 0, answers: { drink: 'tea' } })).status, 201)
  assert.equal((await portal.sql(`select from orders where service_id = ${service.id}`)).length, 2)
})

test('answers that name unusable people, moments or files, or sold-out options, are refused', async () => {
  const [gone, idle] = [await make.newPerson(), await make.newPerson()]
  await org.admin.delete(`/users/${gone.id}`)
  await org.admin.patch(`/users/${idle.id}`, { isActive: false })
  const at = { key: 'at', kind: 'wanted_at', labelEn: 'When?', maxDays: 2, leadMinutes: 60 }
  const who = { key: 'who', kind: 'person', labelEn: 'Who?' }
  const day = { key: 'day', kind: 'date', labelEn: 'Day', earliestDays: 0, latestDays: 1 }
  const service = await serviceWith(drink, who, at, { key: 'papers', kind: 'files', labelEn: 'Papers' }, day)
  await org.admin.put(`/services/${service.id}/notice`, { offOptions: ['drink.tea'] })
  // The team of this calendar always works, so the hour of the run does not matter.
  const team = await make.newTeam({ calendarId: (await make.newCalendar()).id })
  await org.admin.put(`/services/${service.id}/handling`, { teamId: team.id })
  const tried = async (key: string, answer: unknown) => rulesIn(await service.order({ answers: { [key]: answer } }))
  const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
  assert.deepEqual(await tried('drink', 'tea'), { 'answers.drink': 'optionOff' })
  assert.deepEqual(await tried('who', gone.id), { 'answers.who': 'unknown' })
  assert.deepEqual(await tried('who', idle.id), { 'answers.who': 'inactive' })
  assert.deepEqual(await tried('at', inHours(0.9)), { 'answers.at': 'early' })
  assert.deepEqual(await tried('at', inHours(49)), { 'answers.at': 'late' })
  assert.deepEqual(await tried('papers', ['6f1c2a9e-8a53-4f0c-9c5e-0d8f1b6f7a21']), { 'answers.papers': 'unknown' })
  assert.deepEqual(await tried('day', '2020-01-01'), { 'answers.day': 'early' })
  const moment = inHours(2)
  const { body, text, status } = await service.order({ answers: { drink: 'water', who: org.salem.id, at: moment, papers: [] } })
  assert.equal(status, 201, text)
  const details = await detailsOf(body.id)
  assert.deepEqual(details.answers, { drink: 'water', who: { id: org.salem.id, nameAr: 'سالم', nameEn: 'Salem' }, at: moment })
  assert.equal(details.wantedAt, moment)
})

test('a person in an answer keeps the name that they had when the order was placed, even after they are deleted', async () => {
  const person = await make.newPerson({ displayNameAr: 'ليلى', displayNameEn: 'Layla' })
  const service = await serviceWith({ key: 'who', kind: 'person', labelEn: 'Who?' })
  const { body } = await service.order({ answers: { who: person.id } })
  await org.admin.patch(`/users/${person.id}`, { displayNameEn: 'Layla Omar' })
  await org.admin.delete(`/users/${person.id}`)
  assert.deepEqual((await detailsOf(body.id)).answers, { who: { id: person.id, nameAr: 'ليلى', nameEn: 'Layla' } })
})

test('each kind of wrong answer is refused with its own message, and answers of the wrong shape are refused as a whole', async () => {
  const service = await serviceWith(
    drink,
    { key: 'mail', kind: 'text', labelEn: 'Mail', pattern: 'email', maxLength: 20 },
    { key: 'n', kind: 'number', labelEn: 'N', max: 5 },
  )
  const { body } = await service.order({ answers: { drink: 'juice', mail: 'x', n: 6 } })
  assert.deepEqual(
    body.details.map(({ path, rule, params, messageEn }: Record<string, unknown>) => [path, rule, params, messageEn]),
    [
      ['answers.drink', 'option', {}, 'There is no such option.'],
      ['answers.mail', 'pattern', { form: 'email' }, 'Enter an email address such as name@example.org.'],
      ['answers.n', 'max', { limit: 5 }, 'This must be at most 5.'],
    ],
  )
  for (const answers of ['x', 1, true, []]) assert.deepEqual(rulesIn(await service.order({ answers })), { answers: 'type' })
  assert.deepEqual(rulesIn(await service.order({ answers: { mail: 'x'.repeat(16 * 1024) } })), { answers: 'maxBytes' })
  assert.equal((await service.order({ answers: { mail: 'x'.repeat(200_000) } })).status, 413)
  const deep = JSON.parse(`${'{"a":'.repeat(60)}1${'}'.repeat(60)}`)
  assert.ok([201, 400].includes((await service.order({ answers: deep })).status))
  assert.equal((await service.order({ answers: JSON.parse('{"__proto__": {"drink": "tea"}, "constructor": 1}') })).status, 201)
})

test('the key of a field may be the name of a property that every object inherits', async () => {
  const fields = ['text', 'person', 'files', 'wanted_at'].map((kind, n) => ({
    key: ['constructor', 'valueof', 'tostring', 'is'][n],
    kind,
    labelEn: kind,
  }))
  const person = { key: 'constructor', kind: 'person', labelEn: 'Who?' }
  for (const form of [fields, [person]]) {
    const service = await serviceWith(...form)
    const { status, body, text } = await service.order()
    assert.equal(status, 201, text)
    assert.deepEqual((await detailsOf(body.id)).answers, {})
  }
})

test('answers are in no event, notice or log', async () => {
  const service = await serviceWith(note)
  const traces = await portal.traces(() => service.order({ answers: { note: 'Confidential' } }))
  assert.ok(traces.events.length > 0 && traces.notices.length > 0)
  assert.doesNotMatch(JSON.stringify(traces), /Confidential/)
  assert.doesNotMatch(JSON.stringify(await portal.sql('select * from ledger order by id desc limit 5')), /Confidential/)
})

test('an idempotency key covers the answers', async () => {
  const service = await serviceWith(note)
  const key = { 'idempotency-key': crypto.randomUUID() }
  const send = (text: string) => org.huda.send('POST', '/orders', { serviceId: service.id, answers: { note: text } }, key)
  const [first, again, other] = [await send('a'), await send('a'), await send('b')]
  assert.deepEqual([first.status, again.text, other.body.code], [201, first.text, 'idempotency_mismatch'])
})

test('a pause and the audience of a service are checked before the answers', async () => {
  const service = await serviceWith({ ...note, required: true })
  await org.admin.put(`/services/${service.id}/notice`, { paused: true, noticeEn: 'Closed' })
  assert.equal((await service.order()).body.noticeEn, 'Closed')
  await org.admin.put(`/services/${service.id}/notice`, {})
  await org.admin.put(`/services/${service.id}/handling`, { audience: 'groups', audienceGroupIds: [(await make.newGroup()).id] })
  assert.equal((await service.order()).body.code, 'service_unavailable')
  assert.equal((await service.order({ formVersion: 7 })).body.code, 'service_unavailable')
})

test('people who order simultaneously each get their own outcome', async () => {
  const [asking, plain] = [await serviceWith({ ...note, required: true }), await serviceWith()]
  const people = await Promise.all(Array.from({ length: 12 }, () => make.newPerson()))
  const answers = await Promise.all(
    people.map((who, n) => [plain.order({}, who), asking.order({ answers: { note: `n${n}` } }, who), asking.order({}, who)][n % 3]!),
  )
  assert.deepEqual(
    answers.map(({ status }) => status),
    people.map((_, n) => [201, 201, 400][n % 3]),
  )
  for (const [n, { body }] of answers.entries())
    if (n % 3 === 1) assert.deepEqual((await detailsOf(body.id, people[n]!)).answers, { note: `n${n}` })
})

test('an order placed while its form changes is judged by the old or the new form as a whole', async () => {
  const service = await serviceWith(note)
  for (let n = 0; n < 5; n++) {
    const version = (await org.huda.get(`/services/${service.id}/form`)).body.version
    const [order] = await Promise.all([
      service.order({ formVersion: version, answers: { note: 'x' } }),
      service.put({ ...note, labelEn: `Note ${n}` }),
    ])
    if (order!.status === 409) assert.equal(order!.body.form.version, version + 1)
    else assert.equal((await detailsOf(order!.body.id)).fields[0].labelEn, n ? `Note ${n - 1}` : 'Note')
  }
})
