/** Forms that are edited at random while people order, and every test vector of forms over HTTP. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { vectors } from '../../../test/form-vectors.ts'
import { seededPortal } from '../../../test/seed.ts'
import { generator, seed } from '../../../test/suite.ts'

const { org, make } = seededPortal()

const kinds = ['text', 'paragraph', 'number', 'choice', 'choices', 'items', 'yes_no', 'date', 'person'] as const
const words = ['tea', 'water', 'milk']
const answerTo: Record<(typeof kinds)[number], (n: number) => unknown> = {
  text: (n) => `text ${n}`,
  paragraph: (n) => `one\n${n}`,
  number: (n) => n,
  choice: () => 'tea',
  choices: () => ['tea'],
  items: (n) => ({ tea: 1 + (n % 9) }),
  yes_no: (n) => n % 2 === 0,
  date: () => '2026-03-01',
  person: () => org.salem.id,
}
interface Sent {
  key: string
  kind: (typeof kinds)[number]
  labelEn: string
  options: { key: string; en: string }[]
  when: object[]
}

test('through a thousand random edits, each order shows its own form’s labels and answers, and no key changes its kind', async () => {
  const next = generator(seed)
  const { id } = await make.newService()
  const kindOf = new Map<string, string>()
  const placed: { id: number; version: number; labels: string[]; options: string[]; answers: Record<string, unknown> }[] = []
  let [fields, version]: [Sent[], number] = [[], 0]
  const fresh = (n: number): Sent => {
    const options = words.slice(0, 1 + next(3)).map((key) => ({ key, en: `${key} ${n}` }))
    return { key: `f${next(30)}`, kind: kinds[next(kinds.length)]!, labelEn: `Label ${n}`, options, when: [] }
  }
  const edits = [
    (n: number) => [...fields, fresh(n)],
    (n: number) => fields.map((one, place) => (place === next(fields.length || 1) ? { ...one, labelEn: `Label ${n}` } : one)),
    () => fields.filter(() => next(4) > 0),
    () => fields.toSorted(() => next(3) - 1),
    (n: number) => fields.map((one) => (next(4) ? one : { ...one, options: fresh(n).options })),
    (n: number) => fields.map((one) => (next(6) ? one : { ...one, kind: fresh(n).kind })),
    () =>
      fields.map((one, place) =>
        place && next(3) === 0 ? { ...one, when: [{ field: fields[place - 1]!.key, op: 'any', value: ['tea'] }] } : one,
      ),
  ]
  for (let n = 0; n < 1000; n++) {
    const wanted = edits[next(edits.length)]!(n).slice(0, 20)
    const { status, body } = await org.admin.put(`/services/${id}/form`, { fields: wanted })
    assert.ok(status === 200 || status === 400, JSON.stringify(body))
    const isKept = wanted.every(({ key, kind }) => (kindOf.get(key) ?? kind) === kind)
    if (status === 200) {
      assert.ok(isKept, 'a key changed its kind')
      ;[fields, version] = [wanted, body.version]
      for (const { key, kind } of wanted) kindOf.set(key, kind)
    } else assert.ok(body.details?.length || body.code === 'too_many_items')
    if (n % 10 || version === 0) continue
    const answers = Object.fromEntries(fields.filter(() => next(3) > 0).map(({ key, kind }) => [key, answerTo[kind](n)]))
    const order = await org.huda.post('/orders', { serviceId: id, formVersion: version, answers })
    assert.equal(order.status, 201, order.text)
    await org.admin.patch(`/orders/${order.body.id}/status`, { status: 'cancelled' })
    const details = (await org.huda.get(`/orders/${order.body.id}/details`)).body
    for (const [key, answer] of Object.entries(details.answers)) {
      const isPerson = kindOf.get(key) === 'person'
      assert.deepEqual(isPerson ? (answer as { id: number }).id : answer, answers[key])
    }
    const options = fields
      .filter(({ kind }) => ['choice', 'choices', 'items'].includes(kind))
      .flatMap((one) => one.options.map(({ en }) => en))
    placed.push({ id: order.body.id, version, labels: fields.map(({ labelEn }) => labelEn), options, answers: details.answers })
  }
  assert.ok(version > 100)
  for (const order of placed) {
    const { body } = await org.huda.get(`/orders/${order.id}/details`)
    const labels = body.fields.map(({ labelEn }: Sent) => labelEn)
    const options = body.fields.flatMap((one: Sent) => (one.options ?? []).map(({ en }) => en))
    assert.deepEqual([body.formVersion, labels, options, body.answers], [order.version, order.labels, order.options, order.answers])
  }
})

test('over HTTP, every test vector that can be sent gets its expected verdict', async () => {
  const { id } = await make.newService()
  const sendable = vectors.filter(
    ({ given, facts, fields }) =>
      isDeepStrictEqual(JSON.parse(JSON.stringify(given)), given) &&
      facts.unknown.length + facts.inactive.length + facts.mistyped.length === 0 &&
      facts.wantedAt === null &&
      fields.every(({ kind }) => !['date', 'person', 'wanted_at', 'files'].includes(kind)),
  )
  assert.ok(sendable.length > 300)
  let keys = 0
  for (const { name, fields, given, facts, errors, answers } of sendable) {
    // Each vector has keys of its own, because a key keeps its kind.
    const prefix = `v${++keys}_`
    const prefixed = <T>(record: Record<string, T>) =>
      Object.fromEntries(Object.entries(record).map(([key, value]) => [prefix + key, value]))
    const renamed = fields.map(({ textEn, ...field }) => ({
      ...field,
      key: prefix + field.key,
      when: field.when.map((one) => ({ ...one, field: prefix + one.field })),
      ...(field.kind === 'info' && { textEn: textEn ?? 'Read' }),
    }))
    const form = await org.admin.put(`/services/${id}/form`, { fields: renamed })
    assert.equal(form.status, 200, `${name} ${form.text}`)
    await org.admin.put(`/services/${id}/notice`, {
      offOptions: facts.offOptions.filter((one) => one.startsWith('it.')).map((one) => prefix + one),
    })
    const { status, body } = await org.huda.post('/orders', { serviceId: id, answers: prefixed(given) })
    const broken = Object.fromEntries(
      (body.details ?? []).map(({ path, rule }: { path: string; rule: string }) => [path.replace('answers.', ''), rule]),
    )
    assert.deepEqual([status, broken], [Object.keys(errors).length ? 400 : 201, prefixed(errors)], name)
    if (!answers) continue
    assert.deepEqual((await org.huda.get(`/orders/${body.id}/details`)).body.answers, prefixed(answers), name)
    await org.admin.delete(`/orders/${body.id}`)
  }
})
