/** Which test file executes which source positions, database functions and tables. Kept between runs, and measured again when stale. */
import { hash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { cache, databasesOf, dropDatabases, inDatabase, root, runTests } from './sandbox.ts'

export interface Executed {
  /** The hash of the source when it was executed. */
  hash: string
  /** The executed parts, as pairs of a start and an end. */
  spans: [number, number][]
  /** The starts of the functions that were called. */
  functions: number[]
}
export interface Coverage {
  hash: string
  passed: boolean
  ms: number
  sources: Record<string, Executed>
  /** How often each function of the database was called. */
  called: Record<string, number>
  /** How many rows of each table were inserted, updated and deleted. */
  written: Record<string, [number, number, number]>
  /** The hashes of all sources that could have been executed. */
  known: Record<string, string>
}
interface Script {
  url: string
  functions: { ranges: { startOffset: number; endOffset: number; count: number }[] }[]
}

const file = join(cache, 'coverage.json')
export const hashOf = (path: string) => hash('sha256', readFileSync(join(root, path), 'utf8')).slice(0, 16)

export function readCoverage(): Record<string, Coverage> {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return {}
  }
}

/** Measures every test file without a record, or with one older than itself or one of the sources `asked` for. */
export async function coverageOf(tests: string[], sources: string[], asked: string[], atOnce: number, say: (line: string) => void) {
  const all = readCoverage()
  const hashes = Object.fromEntries(sources.map((source) => [source, hashOf(source)]))
  const isStale = (test: string) => {
    const record = all[test]
    if (!record || record.hash !== hashOf(test) || !record.passed) return true
    return asked.some((source) => {
      const executed = record.sources[source]
      return executed ? executed.hash !== hashes[source] : record.known[source] !== hashes[source]
    })
  }
  const stale = tests.filter(isStale)
  const waiting = [...stale]
  async function work() {
    for (let test = waiting.shift(); test; test = waiting.shift()) {
      const { said, ...record } = await measure(test, hashes)
      const place = stale.indexOf(test) + 1
      say(`${place}/${stale.length} ${test} ${(record.ms / 1000).toFixed(1)} s`)
      if (!record.passed) say(`it FAILS without a mutant, and is left out:\n${said.slice(-2000)}`)
      all[test] = record
      mkdirSync(cache, { recursive: true })
      writeFileSync(file, JSON.stringify(all))
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return Object.fromEntries(tests.map((test) => [test, all[test]!]))
}

async function measure(test: string, known: Record<string, string>): Promise<Coverage & { said: string }> {
  const sources: Record<string, Executed> = {}
  const run = await runTests(test, { coverage: true }, (folder) => readScripts(join(folder, 'coverage'), sources, known))
  const databases = await databasesOf(run)
  const { called, written } = await readDatabases(databases)
  await dropDatabases(databases)
  return { hash: hashOf(test), passed: run.passed, ms: run.ms, said: run.said, sources, called, written, known }
}

function readScripts(folder: string, sources: Record<string, Executed>, known: Record<string, string>) {
  const painted = new Map<string, { executed: Uint8Array; functions: Set<number> }>()
  const paths = new Map(Object.keys(known).map((path) => [pathToFileURL(join(root, path)).href, path]))
  for (const name of namesIn(folder)) {
    // A process that was killed may have left an incomplete file.
    const scripts: Script[] = read(join(folder, name))
    for (const { url, functions } of scripts) {
      const path = paths.get(url)
      if (!path) continue
      const length = readFileSync(join(root, path), 'utf8').length
      const into = painted.get(path) ?? { executed: new Uint8Array(length), functions: new Set() }
      painted.set(path, into)
      paint(functions, into)
    }
  }
  for (const [path, { executed, functions }] of painted)
    sources[path] = { hash: known[path]!, spans: spansOf(executed), functions: [...functions] }
}
const namesIn = (folder: string) => {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
const read = (path: string): Script[] => {
  try {
    return JSON.parse(readFileSync(path, 'utf8')).result
  } catch {
    return []
  }
}

/** Marks the executed positions. A narrow range overrides the wider ones around it. */
function paint(functions: Script['functions'], into: { executed: Uint8Array; functions: Set<number> }) {
  const own = new Uint8Array(into.executed.length)
  const ranges = functions
    .flatMap(({ ranges }) => ranges)
    .toSorted((one, other) => other.endOffset - other.startOffset - (one.endOffset - one.startOffset))
  for (const { startOffset, endOffset, count } of ranges) own.fill(count ? 1 : 0, startOffset, endOffset)
  for (const [at, isExecuted] of own.entries()) if (isExecuted) into.executed[at] = 1
  for (const {
    ranges: [whole],
  } of functions)
    if (whole?.count) into.functions.add(whole.startOffset)
}

function spansOf(executed: Uint8Array) {
  const spans: [number, number][] = []
  for (let at = 0; at < executed.length; at++) {
    if (!executed[at]) continue
    const start = at
    while (executed[at]) at++
    spans.push([start, at])
  }
  return spans
}

async function readDatabases(names: string[]) {
  const called: Coverage['called'] = {}
  const written: Coverage['written'] = {}
  for (const name of names)
    await inDatabase(name, async (client) => {
      const functions = await client.query<{ name: string; calls: string }>('select funcname as name, calls from pg_stat_user_functions')
      for (const { name, calls } of functions.rows) called[name] = (called[name] ?? 0) + Number(calls)
      const tables = await client.query<{ name: string; counts: [number, number, number] }>(
        'select relname as name, array[n_tup_ins, n_tup_upd, n_tup_del]::int[] as counts from pg_stat_user_tables',
      )
      for (const { name, counts } of tables.rows) {
        const before = written[name] ?? [0, 0, 0]
        written[name] = [before[0] + counts[0], before[1] + counts[1], before[2] + counts[2]]
      }
    }).catch(() => {}) // A test left a database that nobody may connect to.
  return { called, written }
}
