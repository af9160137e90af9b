/** The audit log as a CSV file: its form, its rows, and no formula in any cell. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import pg from 'pg'
import { makers } from '../../../test/makers.ts'
import { testPortal } from '../../../test/portal.ts'
import { generated, slowTest } from '../../../test/suite.ts'
import { guardCell } from '../../platform/csv.ts'

const portal = testPortal()
const make = makers(portal)

const today = () => new Date().toISOString().slice(0, 10)
const COLUMNS = ['action', 'actor_username', 'target_type', 'target_id', 'created_at', 'metadata']
type Row = Record<(typeof COLUMNS)[number], string>

async function exported(query = '') {
  const response = await fetch(`${portal.base}/api/admin/audit-logs/export?${query}`, { headers: { cookie: portal.admin.cookie } })
  assert.equal(response.status, 200)
  const bytes = Buffer.from(await response.arrayBuffer())
  // Strict: every row has as many cells as the header, and there is no stray quote.
  const rows = parse(bytes, { bom: true, columns: true, relax_column_count: false, relax_quotes: false, record_delimiter: '\n' }) as Row[]
  return { response, bytes, rows }
}

test('the file is an attachment named after today’s date, is never cached, and is in UTF-8 with a byte-order mark', async () => {
  const { response, bytes } = await exported()
  assert.equal(response.headers.get('content-type'), 'text/csv; charset=utf-8')
  assert.equal(response.headers.get('content-disposition'), `attachment; filename="audit-log-${today()}.csv"`)
  assert.equal(response.headers.get('cache-control'), 'no-store')
  assert.equal(response.headers.get('content-length'), null)
  assert.deepEqual([...bytes.subarray(0, 3)], [0xef, 0xbb, 0xbf])
  assert.equal(bytes.toString().slice(1).split('\n')[0], COLUMNS.join(','))
  assert.equal(response.headers.get('x-rows-omitted'), null)
})

test('a row has the action, its author, its target, its time, and its metadata as compact JSON', async () => {
  const deputy = await make.newPerson({ roles: ['admin'] })
  const { body: service } = await deputy.post('/services', { nameAr: 'قهوة، "ساخنة"', nameEn: 'Coffee, "hot"' })
  assert.equal((await deputy.delete(`/services/${service.id}`)).status, 204)
  const { rows } = await exported(`targetType=service&targetId=${service.id}&action=service.delete`)
  const [{ created_at: at, ...row }] = rows as [Row]
  assert.equal(new Date(at!).toISOString(), at)
  assert.deepEqual(row, {
    action: 'service.delete',
    actor_username: deputy.username,
    target_type: 'service',
    target_id: String(service.id),
    metadata: JSON.stringify({ nameAr: 'قهوة، "ساخنة"', nameEn: 'Coffee, "hot"' }),
  })
})

test('a missing actor, target or metadata is an empty cell', async () => {
  await portal.sql(
    `insert into ledger (at, kind, target_type, target_id, action, facts) values ('2019-05-05', 'test', 'portal', 0, 'test.bare', '{}')`,
  )
  const { rows } = await exported('action=test.bare')
  const empty = { actor_username: '', target_id: '', metadata: '' }
  assert.deepEqual(rows, [{ action: 'test.bare', target_type: 'portal', created_at: '2019-05-05T00:00:00.000Z', ...empty }])
})

test('a filter that matches nothing leaves only the header line', async () => {
  assert.deepEqual((await exported('action=none')).bytes.toString(), `\uFEFF${COLUMNS.join(',')}\n`)
})

for (const query of ['', 'action=user.create', 'targetType=role', 'actorUserId=1', 'forcedOnly=true', `from=${today()}`, 'to=2001-01-01'])
  test(`the file has the rows of the list in the same order for '${query}'`, async () => {
    await make.newRole()
    await portal.admin.delete(`/groups/${(await make.newGroup({ userIds: [1] })).id}?force=true`)
    const { entries, totalCount } = (await portal.admin.get(`/admin/audit-logs?limit=200&${query}`)).body
    const { rows } = await exported(query)
    assert.equal(rows.length, totalCount)
    const listed = entries.map((entry: { action: string; createdAt: string; targetId: number }) => [
      entry.action,
      entry.createdAt,
      entry.targetId,
    ])
    assert.deepEqual(
      rows.map((row) => [row['action'], row['created_at'], row['target_id'] ? Number(row['target_id']) : null]),
      listed,
    )
  })

/** Characters that could hide a formula from the check, but not from a spreadsheet program. */
const invisible = /^(?:(?![\t\r])[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}])+/u
const beginsFormula = (text: string) => /^[=+\-@＝＋－＠\t\r]/.test(text.replace(invisible, ''))
/** Where a formula could begin: at the start, and after any character that another program may take for a separator. */
const startsOf = (cell: string) => [0, ...[...cell.matchAll(/[;,|\t]/g)].map(({ index }) => index + 1)]
const dangersOf = (cell: string) => startsOf(cell).filter((start) => beginsFormula(cell.slice(start)))
const guarded = (cell: string) => dangersOf(cell).reduceRight((text, start) => `${text.slice(0, start)}'${text.slice(start)}`, cell)

const sign = fc.constantFrom(...'=+-@＝＋－＠\t\r')
const hidden = fc.constantFrom(
  '',
  ' ',
  '\n',
  '\u200B',
  '\u2060',
  '\uFEFF',
  '\u00AD',
  '\u202E',
  '\u3164',
  '\uFE0F',
  '\u00A0',
  "'",
  '"',
  ',',
  ';',
)
const hostile = fc
  .tuple(fc.array(hidden, { maxLength: 3 }), sign, fc.string({ unit: 'grapheme', maxLength: 8 }))
  .map(([before, one, rest]) => `${before.join('')}${one}${rest}`.replaceAll('\0', ''))
const words = fc.oneof(
  hostile,
  fc.string({ unit: 'grapheme', maxLength: 10 }).map((text) => text.replaceAll('\0', '')),
)

test('no cell of any column can become a formula, and each still shows what was recorded', async () => {
  let runs = 0
  const property = fc.asyncProperty(
    fc.array(fc.record({ action: words, targetType: words, username: words, key: words, value: words }), { minLength: 1, maxLength: 20 }),
    async (lines) => {
      const actor = 1_000_000 + runs++
      await portal.sql(
        `insert into ledger (kind, target_type, target_id, actor_id, actor_username, action, facts)
         select 'test', "targetType", 1, $1, username, action, json_build_object(key, value)
         from json_to_recordset($2) as line ("targetType" text, username text, action text, key text, value text)`,
        [actor, JSON.stringify(lines)],
      )
      const { rows } = await exported(`actorUserId=${actor}`)
      for (const cell of rows.flatMap((row) => Object.values(row))) assert.deepEqual(dangersOf(cell), [], JSON.stringify(cell))
      assert.deepEqual(
        rows.map((row) => COLUMNS.filter((name) => name !== 'created_at').map((name) => row[name])),
        lines
          .toReversed()
          .map(({ action, targetType, username, key, value }) =>
            [action, username, targetType, '1', JSON.stringify({ [key]: value })].map(guarded),
          ),
      )
    },
  )
  await fc.assert(property, generated(6, 60))
})

for (const cell of [
  '=1',
  '+1',
  '-1',
  '@a',
  '\ta',
  '\ra',
  '＝1',
  '＋1',
  '－1',
  '＠a',
  ' =1',
  '\u200B=1',
  '\uFEFF\u2060-1',
  '\n=1',
  '\u200B\ta',
  '\u3164=1',
])
  test(`the cell ${JSON.stringify(cell)} gets a quote before it`, () => assert.equal(guardCell(cell), `'${cell}`))
for (const [cell, safe] of [
  ['x;=1+1', "x;'=1+1"],
  ['x,@a|-1\t+2', "x,'@a|'-1\t'+2"],
  ['x; \u200B＝1', "x;' \u200B＝1"],
  ['{"ids":[1,-2]}', `{"ids":[1,'-2]}`],
])
  test(`the cell ${JSON.stringify(cell)} is guarded after every separator inside it`, () => assert.equal(guardCell(cell!), safe))
for (const cell of ['', 'a=1', "'=1", '1-1', '{"a":"=1"}', 'قهوة', ' a', 'a;b', 'a, b|c'])
  test(`the cell ${JSON.stringify(cell)} stays as it is`, () => assert.equal(guardCell(cell), cell))

/** Adds rows to the log, of which many have the same time. */
const addRows = (action: string, count: number) =>
  portal.sql(
    `insert into ledger (at, kind, target_type, target_id, actor_username, action, facts)
     select '2100-01-01'::timestamptz + n / 3000 * interval '1 microsecond', 'test', 'user', n, 'many', $1, '{}'
     from generate_series(1, $2::int) as n`,
    [action, count],
  )

slowTest('the log of one record can be read beyond its ten thousandth entry', async () => {
  await portal.sql(
    `insert into ledger (kind, target_type, target_id, action, facts)
     select 'test.often', 'group', 987654, 'test.often', '{}' from generate_series(1, 10002)`,
  )
  const read = async (offset: number) =>
    (await portal.admin.get(`/admin/audit-logs?targetType=group&targetId=987654&offset=${offset}`)).body
  const [{ totalCount, nextOffset }, last] = [await read(9990), await read(10_000)]
  assert.deepEqual([totalCount, nextOffset, last.entries.length, last.nextOffset], [10_002, null, 2, null])
})

slowTest('the file holds the newest 50,000 rows, each once, even when many have the same time', async () => {
  await addRows('test.many', 50_001)
  const { rows: all, response } = await exported('action=test.many')
  const [rows, [last]] = [all.slice(0, -1), all.slice(-1)]
  assert.equal(response.headers.get('x-rows-omitted'), '1')
  assert.deepEqual(Object.values(last!), ['عدد الصفوف الأقدم التي لم تُدرج في هذا الملف: 1', '', '', '', '', ''])
  assert.deepEqual(
    rows.map((row) => Number(row['target_id'])),
    Array.from({ length: 50_000 }, (_, index) => 50_001 - index),
  )
  assert.equal((await exported('')).rows.length, 50_001)
})

test('the file starts to arrive before its last rows are read', async (t) => {
  await addRows('test.long', 2000)
  const gate = Promise.withResolvers<void>()
  const query = pg.Client.prototype.query as (...parts: unknown[]) => unknown
  let pages = 0
  t.mock.method(pg.Client.prototype, 'query', function (this: pg.Client, ...parts: unknown[]) {
    const asked = parts[0] as string | { text: string }
    const isPage = (typeof asked === 'string' ? asked : asked.text).includes('::text as "place"')
    return isPage && ++pages === 2 ? gate.promise.then(() => query.apply(this, parts)) : query.apply(this, parts)
  })
  const { body } = await fetch(`${portal.base}/api/admin/audit-logs/export`, { headers: { cookie: portal.admin.cookie } })
  let text = ''
  for await (const chunk of body!.pipeThrough(new TextDecoderStream())) {
    text += chunk
    if (text.split('\n').length > 3) gate.resolve()
  }
  assert.ok(pages > 2)
  assert.ok(text.split('\n').length > 1000)
})
