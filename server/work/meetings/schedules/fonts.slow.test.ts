import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { archiving } from '../../../../test/archives.ts'
import { makers, silence } from '../../../../test/makers.ts'
import { type Client, testPortal } from '../../../../test/portal.ts'

const portal = testPortal()
const { newPerson } = makers(portal)
const { read } = archiving(portal)
const PATH = '/executive-meetings/font-settings'
const DEFAULT = { scope: 'global', fontFamily: 'Amiri', fontSize: 13, fontWeight: 400, alignment: 'start' }

const executive = (role: string) => newPerson({ roles: [`executive_${role}`] })
const readWhole = async (who: Client) => (await who.get(PATH)).body
const inForce = async (who: Client) => {
  const { own: _, global: _of, office: _for, ownCount: _count, ...settings } = await readWhole(who)
  return settings
}
const audited = (before: object | null, after: object, target: number) => ({
  ...silence,
  audit: [{ action: 'font_settings.update', type: 'font_settings', target, metadata: { before, after } }],
})
const forgetGlobal = async () => portal.meddle('font_settings', await idOf(null), 'delete from font_settings where user_id is null')
const idOf = async (who: Client | null) =>
  (await portal.sql<{ id: number }>('select id from font_settings where user_id is not distinct from $1', [who?.id ?? null]))[0]!.id

test('the default settings count as global and are in force until somebody sets different ones', async () => {
  assert.deepEqual(await inForce(await executive('viewer')), DEFAULT)
})

for (const method of ['PUT', 'PATCH'])
  test(`${method} sets the given fields, keeps the rest, and logs the settings before and after`, async () => {
    const who = await executive('viewer')
    const first = { ...DEFAULT, scope: 'user', fontSize: 20 }
    const traces = await portal.traces(async () => {
      const { status, body } = await who.send(method, PATH, { fontSize: 20, unknown: 1 })
      assert.deepEqual([status, body], [200, first])
    })
    const id = await idOf(who)
    assert.deepEqual(traces, audited(null, first, id))
    const second = { ...first, fontFamily: 'My Face', fontWeight: 700, alignment: 'end' }
    const again = await portal.traces(async () => {
      const { body } = await who.send(method, PATH, { scope: 'user', fontFamily: ' My\u202E Face ', fontWeight: 700, alignment: 'end' })
      assert.deepEqual(body, second)
    })
    assert.deepEqual(again, audited(first, second, id))
    assert.deepEqual(await inForce(who), second)
    const [row] = await portal.sql<{ actor: number }>(
      `select actor_id as actor from ledger where target_type = 'font_settings' and target_id = $1 order by id desc limit 1`,
      [id],
    )
    assert.equal(row!.actor, who.id)
  })

test('setting the same values again leaves no trace', async () => {
  const who = await executive('viewer')
  await who.put(PATH, { fontSize: 20 })
  const traces = await portal.traces(async () => {
    for (const body of [{ fontSize: 20 }, { fontFamily: 'Amiri', fontWeight: 400, alignment: 'start', fontSize: 20 }])
      assert.deepEqual((await who.put(PATH, body)).body, { ...DEFAULT, scope: 'user', fontSize: 20 })
  })
  assert.deepEqual(traces, silence)
})

test('a person’s own settings take precedence over the global ones, and those over the default', async () => {
  const [own, other] = [await executive('viewer'), await executive('ceo')]
  await own.put(PATH, { alignment: 'center' })
  const everyones = { ...DEFAULT, fontSize: 18 }
  const traces = await portal.traces(async () => {
    const { body } = await portal.admin.put(PATH, { scope: 'global', fontSize: 18 })
    assert.deepEqual(body, everyones)
  })
  assert.deepEqual(traces, audited(null, everyones, await idOf(null)))
  assert.deepEqual(await inForce(other), everyones)
  assert.deepEqual(await inForce(own), { ...DEFAULT, scope: 'user', alignment: 'center' })
  const begun = await other.put(PATH, { fontWeight: 600 })
  assert.deepEqual(begun.body, { ...everyones, scope: 'user', fontWeight: 600 }, 'a person’s first settings start from everyone’s')
  const set = await other.patch(PATH, { scope: 'user', alignment: 'end' })
  assert.equal(set.body.fontSize, 18)
  await portal.admin.put(PATH, { fontSize: 9 })
  const answered = await portal.admin.put(PATH, { scope: 'global', fontSize: 19 })
  assert.deepEqual([answered.body.scope, answered.body.fontSize], ['user', 9], 'the answer is what is in force for the caller')
})

const remove = (who: Client, scope = '') => who.delete(`${PATH}${scope && `?scope=${scope}`}`)

test('the answer has the settings of each scope, and removing those in force puts the next ones in force', async () => {
  const who = await executive('viewer')
  await portal.admin.put(PATH, { scope: 'global', fontSize: 17 })
  const { ownCount } = await readWhole(who)
  await who.put(PATH, { fontSize: 22 })
  const fields = ({ scope: _, ...rest }: typeof DEFAULT) => rest
  const everyones = { ...fields((await readWhole(who)).global), fontSize: 17 }
  assert.deepEqual(await readWhole(who), {
    ...everyones,
    scope: 'user',
    fontSize: 22,
    own: { ...everyones, fontSize: 22 },
    global: everyones,
    office: everyones,
    ownCount: ownCount + 1,
  })
  const id = await idOf(who)
  const traces = await portal.traces(async () => assert.equal((await remove(who)).status, 204))
  const before = { ...everyones, scope: 'user', fontSize: 22 }
  const metadata = { before, after: null }
  assert.deepEqual(traces, { ...silence, audit: [{ action: 'font_settings.delete', type: 'font_settings', target: id, metadata }] })
  assert.deepEqual(await readWhole(who), { ...everyones, scope: 'global', own: null, global: everyones, office: everyones, ownCount })
  assert.deepEqual(await portal.traces(async () => assert.equal((await remove(who, 'user')).status, 204)), silence)
  assert.equal((await remove(who, 'global')).body.code, 'forbidden')
  assert.equal((await remove(portal.admin, 'global')).status, 204)
  assert.deepEqual(await readWhole(who), { ...DEFAULT, own: null, global: null, office: fields(DEFAULT), ownCount })
  assert.equal((await remove(portal.admin, 'all')).body.code, 'validation_failed')
})

const FAMILIES = '/executive-meetings/fonts'
interface Family {
  family: string
  weights: number[]
  latin: boolean
  url: string
}
const readFamilies = async () => (await portal.admin.get(FAMILIES)).body as Family[]

test('the families are listed with their weights, the default family first', async () => {
  const families = await readFamilies()
  assert.deepEqual(
    families.map(({ family, weights, latin }) => [family, weights.join(' '), latin]),
    [
      ['Amiri', '400 700', true],
      ['IBM Plex Sans Arabic', '300 400 500 600 700', true],
      ['Noto Sans Arabic', '300 400 500 600 700', true],
      ['Noto Naskh Arabic', '400 500 600 700', true],
      ['Cairo', '300 400 500 600 700', true],
      ['Tajawal', '300 400 500 700', true],
    ],
  )
  assert.equal(families[0]!.url, `${FAMILIES}/amiri/400`)
})

test('each weight of a family has its own file at an address that ends with the weight; other weights are not found', async () => {
  const seen = new Set<unknown>()
  for (const { weights, url } of await readFamilies())
    for (const weight of [300, 400, 500, 600, 700]) {
      const { status, headers, bytes } = await read(`${url.slice(0, -3)}${weight}`)
      if (!weights.includes(weight)) {
        assert.equal(status, 404)
        continue
      }
      assert.deepEqual([status, headers['content-type'], bytes.readUInt32BE(0)], [200, 'font/ttf', 0x10000])
      seen.add(headers['etag'])
    }
  assert.equal(seen.size, 25)
})

test('a font file supports ranges and conditional requests; other files of its package are not served', async () => {
  const path = `${FAMILIES}/cairo/400`
  const whole = await read(path)
  assert.deepEqual([whole.headers['cache-control'], whole.headers['content-length']], ['private, no-cache', String(whole.bytes.length)])
  const part = await read(path, { range: 'bytes=4-9' })
  assert.deepEqual([part.status, part.bytes], [206, whole.bytes.subarray(4, 10)])
  assert.equal((await read(path, { 'if-none-match': whole.headers['etag'] as string })).status, 304)
  assert.equal((await read(path, { range: 'bytes=99999999-' })).status, 416)
  for (const [address, status] of [
    ['noto-emoji/400', 400],
    ['constructor/400', 400],
    ['cairo/450', 400],
    ['..%2Fcairo/400', 400],
    ['Cairo/400', 400],
  ])
    assert.equal((await read(`${FAMILIES}/${address}`)).status, status)
  assert.equal((await (await newPerson()).get(path)).status, 403)
})

describe('access to font settings', () => {
  const roles = ['ceo', 'office_manager', 'coord_lead', 'coordinator', 'viewer']
  const people: Record<string, Client> = {}
  before(async () => {
    people['admin'] = portal.admin
    for (const role of roles) people[role] = await executive(role)
    people['ordinary'] = await newPerson()
    people['stranger'] = portal.stranger()
  })
  const rights: [who: string, reads: number, own: number, everyones: number][] = [
    ['admin', 200, 200, 200],
    ['office_manager', 200, 200, 200],
    ['coord_lead', 200, 200, 200],
    ['coordinator', 200, 200, 200],
    ['ceo', 200, 200, 403],
    ['viewer', 200, 200, 403],
    ['ordinary', 403, 403, 403],
    ['stranger', 401, 401, 401],
  ]
  for (const [who, ...statuses] of rights)
    test(`${who} gets ${statuses[0]} when reading, ${statuses[1]} when setting their own, ${statuses[2]} when setting the global ones`, async () => {
      const person = people[who]!
      const answers = [
        await person.get(PATH),
        await person.put(PATH, { fontSize: 11 }),
        await person.patch(PATH, { scope: 'global', fontSize: 21 }),
      ]
      assert.deepEqual(
        answers.map(({ status }) => status),
        statuses,
      )
    })
  test('a caller who may not set the global settings is refused and changes nothing', async () => {
    const traces = await portal.traces(async () => {
      assert.equal((await people['viewer']!.put(PATH, { scope: 'global', fontSize: 30 })).status, 403)
      assert.equal((await people['viewer']!.put(PATH, { scope: 'global', fontSize: 99 })).status, 400)
      assert.equal((await people['ordinary']!.put(PATH, { fontSize: 99 })).status, 403)
    })
    assert.deepEqual(traces, silence)
  })
})

const wrong: [body: unknown, path: string][] = [
  [{}, 'fontFamily'],
  [{ scope: 'user' }, 'fontFamily'],
  [{ scope: 'all', fontSize: 10 }, 'scope'],
  [{ fontFamily: '' }, 'fontFamily'],
  [{ fontFamily: ' \u202E ' }, 'fontFamily'],
  [{ fontFamily: 'x'.repeat(101) }, 'fontFamily'],
  [{ fontFamily: null }, 'fontFamily'],
  [{ fontSize: 7 }, 'fontSize'],
  [{ fontSize: 49 }, 'fontSize'],
  [{ fontSize: 12.5 }, 'fontSize'],
  [{ fontSize: '12' }, 'fontSize'],
  [{ fontWeight: 450 }, 'fontWeight'],
  [{ fontWeight: '400' }, 'fontWeight'],
  [{ alignment: 'left' }, 'alignment'],
  [{ alignment: null }, 'alignment'],
]
for (const [body, path] of wrong)
  test(`setting ${JSON.stringify(body).slice(0, 50)} is refused`, async () => {
    const { status, body: answer } = await portal.admin.put(PATH, body)
    assert.deepEqual(
      [status, answer.code, answer.details.map((detail: { path: string }) => detail.path)],
      [400, 'validation_failed', [path]],
    )
  })
for (const fontSize of [8, 48])
  test(`a font size of ${fontSize} is accepted`, async () => assert.equal((await portal.admin.put(PATH, { fontSize })).status, 200))
test('a family name of 100 characters is accepted and trimmed', async () => {
  assert.equal((await portal.admin.put(PATH, { fontFamily: ` ${'خ'.repeat(100)} ` })).body.fontFamily, 'خ'.repeat(100))
})

for (const scope of ['user', 'global'])
  test(`simultaneous first calls that set ${scope === 'user' ? 'one’s own' : 'the global'} settings, on two instances, all succeed and write one row`, async () => {
    if (scope === 'global') await forgetGlobal()
    const who = await executive('coordinator')
    const other = Object.assign(portal.stranger(), { cookie: who.cookie })
    Object.assign(other, { base: (await portal.another()).base })
    const sizes = Array.from({ length: 20 }, (_, n) => n + 10)
    const { audit } = await portal.traces(async () => {
      const answers = await Promise.all(sizes.map((fontSize, n) => (n % 2 ? who : other).put(PATH, { scope, fontSize })))
      assert.deepEqual(
        answers.filter(({ status }) => status !== 200),
        [],
      )
    })
    const rows = await portal.sql<{ size: number }>('select font_size as size from font_settings where user_id is not distinct from $1', [
      scope === 'user' ? who.id : null,
    ])
    const steps = audit.map(({ metadata }) => metadata as { before: { fontSize: number } | null; after: { fontSize: number } })
    assert.deepEqual([rows.length, steps.length, steps[0]!.before], [1, 20, null])
    // Each entry begins with the state that another entry ended in.
    for (const step of steps.slice(1)) assert.ok(steps.some(({ after }) => after.fontSize === step.before!.fontSize))
    assert.equal(new Set(steps.map(({ before }) => before?.fontSize)).size, 20)
  })

test('a person’s settings are deleted with the person', async () => {
  const who = await executive('viewer')
  await who.put(PATH, { fontSize: 20 })
  assert.equal((await portal.admin.delete(`/users/${who.id}`)).status, 204)
  assert.deepEqual(await portal.sql('select from font_settings where user_id = $1', [who.id]), [])
})
