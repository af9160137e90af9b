/** `npm run check` demands for `docs/sql/` that samples run every place with a join or a common table expression. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { coverage } from '../tools/sql/coverage.ts'
import { JOINED, joiningPlaces } from '../tools/sql/joins.ts'

for (const text of [
  'select from a join b using (id)',
  'select from "a" inner join "b" on "a"."id" = "b"."id"',
  'select from a cross join lateral (select) as b',
  'select from a join\n  b using (id)',
  'with a as (select) select from a',
  'with recursive "a" ("id") as materialized (select) select from a',
  'with\n  a as (select) select from a',
  `with \${sql.join(parts)} select`,
  ".leftJoin('users', 'users.id', 'userId')",
  ".with('listed', (q) => q)",
])
  test(`a join or a common table expression is recognised in ${JSON.stringify(text)}`, () => assert.match(text, JOINED))

for (const text of ['from unnest(ids) with ordinality as line (id, place)', 'sql.join(parts)', 'timestamp with time zone', 'joined as a'])
  test(`no join or common table expression is recognised in ${JSON.stringify(text)}`, () => assert.doesNotMatch(text, JOINED))

test('a join must run where it is written, and wherever a statement uses its fragment', () => {
  const sources: Record<string, string> = {
    'server/work/orders/queries.ts': `
/** Comments do not count: a join b. */
const NAMES = sql\`join users using (id)\`
// Nor does this: a join b.
export const viewOf = (rows: Rows) => sql\`select from \${rows} \${NAMES}\`
export const readOrder = (db: Reads) => viewOf(sql\`orders\`).execute(db)
export const readNames = (db: Reads) => db.selectFrom('users').execute()
`,
    'server/work/services/queries.ts': `
import { readOrder, viewOf as ordersOf } from '../orders/queries.ts'
export const readOrders = (db: Reads) => ordersOf(sql\`orders\`).execute(db)
export const readService = async (db: Reads) => [await readOrder(db), await db.selectFrom('services').execute()]
`,
    'server/work/services/routes.ts': `
export const createUser = { description: 'New people join Everyone' }
`,
  }
  const found = joiningPlaces(sources).map(({ file, offset }) => `${file} ${/^\w+/.exec(sources[file]!.slice(offset))}`)
  assert.deepEqual(found, [
    'server/work/orders/queries.ts join',
    'server/work/orders/queries.ts NAMES',
    'server/work/orders/queries.ts viewOf',
    'server/work/services/queries.ts ordersOf',
  ])
})

test('code counts as run only if its own branch has run', async () => {
  const takeCoverage = await coverage()
  const source = 'export const choose = (is) => (is ? "first" : "second")'
  const url = `data:text/javascript,${encodeURIComponent(source)}`
  const { choose } = await import(url)
  choose(true)
  const hasRun = await takeCoverage()
  const branches = ['"first"', '"second"'].map((branch) => hasRun(url, source.indexOf(branch)))
  assert.deepEqual([...branches, hasRun('file:///unknown.ts', 0)], [true, false, false])
})
