import assert from 'node:assert/strict'
import { test } from 'node:test'
import { applyEdit, describeEdits, type Edit } from './edit.ts'
import { editSource } from './operators.ts'
import { complaints, type Result, table } from './report.ts'
import { editSql, editTrigger } from './sql.ts'

const changed = (text: string, edits: Edit[]) => describeEdits('x', text, edits).map((edit) => applyEdit(text, edit))
const sources = (text: string) => changed(text, editSource(text))
const statements = (text: string) => changed(text, editSql(text))

const cases: [source: string, mutants: string[]][] = [
  ['if (a) b()', ['if (true) b()', 'if (false) b()', 'if (a) ;']],
  ['x = a && b', [';', 'x = a', 'x = b']],
  ['x = (a ?? b)', [';', 'x = (a)', 'x = (b)']],
  ['const x = a < b', ['const x = a <= b']],
  ['const x = a === b', ['const x = a !== b']],
  ['const x = n + 1', ['const x = n - 1', 'const x = n + 2']],
  ["const x = 'a' + b", []],
  ['const rows = { a: 1, b: f }', ['const rows = { b: f }', 'const rows = { a: 1 }', 'const rows = { a: 2, b: f }']],
  ['const x = [a, b]', ['const x = [b]', 'const x = [a]']],
  ['const x = a?.b', ['const x = a.b']],
  ['const x = a.filter(b)', ['const x = a']],
  ['throw error', [';']],
  ["log.warn('lost')", []],
  ['const WAIT_MS = 5', []],
  ['const x = /^a$/g', ['const x = /a$/g', 'const x = /^a/g', 'const x = /^a$/']],
  ["import a from 'b'", []],
  ['const x: number = y as unknown as number', []],
  ['const x = sql`a = b`', []],
  ['const x = sql`a and c`', ['const x = sql`a or c`']],
  ["query('select a from b order by c')", [';', "query('select a from b order by c desc')"]],
]
for (const [source, mutants] of cases) test(`the mutants of ${source}`, () => assert.deepEqual(sources(source), mutants))

const sqlCases: [statement: string, mutants: string[]][] = [
  ['where a = b and c', ['where a = b or c', 'where a <> b and c']],
  ['update t set a = b where c = d', ['update t set a = b where c <> d']],
  [
    "where at between 1 and 2 or a = 'x or y'",
    [
      "where at between 2 and 2 or a = 'x or y'",
      "where at between 1 and 3 or a = 'x or y'",
      "where at between 1 and 2 and a = 'x or y'",
      "where at between 1 and 2 or a <> 'x or y'",
    ],
  ],
  ['if not exists (select a) then', ['if exists (select a) then', 'if not (not exists (select a)) then']],
  ['-- a and b', []],
  ["raise exception 'no; never';", ['null;']],
  ["at < now() - interval '1 day'", ["at <= now() - interval '1 day'", "at < now() + interval '1 day'", "at < now() - interval '2 day'"]],
  ['for update skip locked', [' skip locked', 'for update ']],
]
for (const [statement, mutants] of sqlCases)
  test(`the mutants of ${statement}`, () => assert.deepEqual(statements(statement).toSorted(), mutants.toSorted()))

test('a trigger loses an event, its condition, an argument, or itself', () => {
  const trigger = "CREATE TRIGGER t AFTER INSERT OR DELETE ON a FOR EACH ROW WHEN (new.b) EXECUTE FUNCTION f('c')"
  assert.deepEqual(changed(trigger, editTrigger(trigger)), [
    trigger.replace('INSERT OR ', ''),
    trigger.replace(' OR DELETE', ''),
    trigger.replace(' WHEN (new.b)', ''),
    trigger.replace("'c'", "'0'"),
    '',
  ])
})

const result = (to: string, verdict: Result['verdict']): Result => ({ file: 'a.ts', line: 1, from: 'x', to, verdict, ms: 0 })
const reason = (to: string) => ({ file: 'a.ts', from: 'x', to, because: 'it means the same' })

test('what lives must be argued for, and what is argued for must live', () => {
  const results = [
    result('dead', 'killed'),
    result('late', 'late'),
    result('argued', 'survived'),
    result('lives', 'survived'),
    result('bare', 'uncovered'),
  ]
  const exists = ({ to }: { to: string }) => to !== 'gone'
  const found = complaints(results, ['argued', 'dead', 'gone'].map(reason), exists)
  assert.deepEqual(
    found.map((line) => `${line.split(' a.ts')[0]} ${line.split('+ ')[1]}`),
    ['survived lives', 'uncovered bare', 'argued for, and killed by undefined dead', 'argued for, and no mutant gone'],
  )
  assert.match(table(results, [reason('argued')]), /^a\.ts +5 +2 +2 +1 +1 +50%$/m)
})
