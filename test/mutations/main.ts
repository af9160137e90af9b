/** Makes small mistakes in the rules, the platform and the SQL of the migrations, one at a time, and reports those that no test notices. */
import { hash } from 'node:crypto'
import { appendFileSync, existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, matchesGlob } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { ensurePages } from '../../server/pages/built.ts'
import { globalSetup, globalTeardown, TEMPLATE } from '../setup.ts'
import { type Coverage, coverageOf } from './coverage.ts'
import { define, mutateDefinitions, readDefinitions, type SqlMutant } from './definitions.ts'
import { describeEdits, type Mutant } from './edit.ts'
import { editSource } from './operators.ts'
import { complaints, isArgued, type Result, table } from './report.ts'
import { cache, databasesOf, dropDatabases, endTests, inDatabase, root, runTests } from './sandbox.ts'
import { selectTests } from './select.ts'
import { startServer } from './server.ts'
import { survivors } from './survivors.ts'

const USAGE = `npm run test:mutations -- [options]
  --files GLOB       only files that match, e.g. 'server/platform/**' or 'server/migrations/0001*'; may be given more than once
  --tests GLOB       only these tests; may be given more than once
  --sample N         so many mutants of each file, the same ones each time (4)
  --all              every mutant
  --survivors        only those that the run before did not kill and nobody argues for; the others stay in the table
  --resume           goes on with the run before, with what it has found
  --concurrency N    mutants at once (1)
  --most N           test files that are run against each mutant, those first that are likeliest to notice it (5)
  --report           prints what the run before found, and runs nothing
  --list             prints the mutants and runs none`

const { values } = parseArgs({
  options: {
    files: { type: 'string', multiple: true },
    tests: { type: 'string', multiple: true },
    sample: { type: 'string', default: '4' },
    all: { type: 'boolean', default: false },
    survivors: { type: 'boolean', default: false },
    resume: { type: 'boolean', default: false },
    concurrency: { type: 'string', default: '1' },
    most: { type: 'string', default: '5' },
    report: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
const say = (line: string) => console.log(line)
const resultsFile = join(cache, 'results.jsonl')

const isTest = (file: string) => file.endsWith('.test.ts')
const matches = (file: string, globs: string[] | undefined) => !globs || globs.some((glob) => matchesGlob(file, glob))
const isAsked = (file: string) => matches(file, values.files)
const allSources = globSync(['server/**/rules.ts', 'server/platform/**/*.ts'], { cwd: root })
  .filter((file) => !isTest(file))
  .toSorted()
const sources = allSources.filter(isAsked)
const tests = globSync(['server/**/*.test.ts', 'test/**/*.test.ts'], { cwd: root })
  .filter((file) => !file.startsWith('test/mutations/') && matches(file, values.tests))
  .toSorted()

/** Identifies a mutant even if its line has moved: by what it changes, and its number among those that change the same. */
const idOf = ({ file, from, to, nth }: Pick<Mutant, 'file' | 'from' | 'to'> & { nth?: number }) => JSON.stringify([file, from, to, nth])
function numbered<M extends Mutant>(mutants: M[]) {
  const alike = new Map<string, number>()
  return mutants.map((mutant) => {
    const nth = alike.get(idOf(mutant)) ?? 0
    alike.set(idOf(mutant), nth + 1)
    return { ...mutant, nth }
  })
}
/** Decides whether a mutant is sampled, independently of where its file is and where it stands in the file. */
const lot = ({ from, to }: Mutant) => hash('sha256', `${from}\n${to}`)

function sample<M extends Mutant>(mutants: M[]) {
  if (values.all || values.survivors) return mutants
  const byFile = Map.groupBy(mutants, ({ file }) => file)
  const drawn = [...byFile.values()].map((own) => own.toSorted((one, other) => (lot(one) < lot(other) ? -1 : 1)))
  // One of each file, then the next of each, so that a run that is stopped has tried all files.
  return Array.from({ length: Number(values.sample) }, (_, round) => drawn.flatMap((own) => own[round] ?? [])).flat()
}

const mutantsOf = (file: string) => {
  const text = readFileSync(join(root, file), 'utf8')
  return describeEdits(file, text, editSource(text))
}

type Numbered = (Mutant | SqlMutant) & { nth: number }
type Recorded = Result & { nth: number }
const readResults = (): Recorded[] =>
  existsSync(resultsFile)
    ? readFileSync(resultsFile, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line))
    : []

/** How long a test may take, in ms: several times as long as when it was measured, because the load may be higher. */
const patience = ({ ms }: Coverage) => 8_000 + ms + Math.min(3 * ms, 60_000)

async function main() {
  if (values.help) return say(USAGE)
  // The sandboxes can write nothing there, and a portal that starts as a program would build them.
  await ensurePages(say)
  const stop = await startServer()
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, async () => {
      endTests()
      await stop()
      process.exit(1)
    })
  await globalSetup()
  try {
    process.exitCode = (await run()) ? 0 : 1
  } finally {
    await globalTeardown()
    await stop()
  }
}

async function run() {
  const definitions = await inDatabase(TEMPLATE, readDefinitions)
  const ofDefinitions = mutateDefinitions(definitions).filter(({ file }) => isAsked(file))
  const all: Numbered[] = [...numbered(sources.flatMap(mutantsOf)), ...numbered(ofDefinitions)]
  const before = readResults()
  const lives = (result: Recorded) => /^(survived|uncovered)$/.test(result.verdict) && !isArgued(survivors, result)
  const lived = new Set(before.filter(lives).map(idOf))
  const chosen = sample(all).filter((mutant) => !values.survivors || lived.has(idOf(mutant)))
  if (values.list) {
    for (const { file, line, from, to } of chosen) say(`${file}:${line}\n    - ${from}\n    + ${to}`)
    say(`${chosen.length} of ${all.length} mutants`)
    return true
  }
  if (values.report) return report(before, all)
  const coverage = await coverageOf(tests, allSources, sources, Number(values.concurrency), say)
  const [chosenIds, allIds] = [new Set(chosen.map(idOf)), new Set(all.map(idOf))]
  const results = before.filter((result) => {
    if (values.survivors) return !chosenIds.has(idOf(result)) && (allIds.has(idOf(result)) || !isAsked(result.file))
    return values.resume && chosenIds.has(idOf(result))
  })
  mkdirSync(cache, { recursive: true })
  writeFileSync(resultsFile, results.map((result) => `${JSON.stringify(result)}\n`).join(''))
  const done = new Set(results.map(idOf))
  const killers = new Map<string, Map<string, number>>()
  for (const { file, by } of before) if (by) count(killers, file, by)

  const waiting = chosen.filter((mutant) => !done.has(idOf(mutant)))
  const total = results.length + waiting.length
  const begun = performance.now()
  async function work(own: Numbered[]) {
    for (let mutant = own.shift(); mutant; mutant = own.shift()) {
      const { file, line, from, to, nth } = mutant
      const { verdict, by, ms } = await judge(mutant, coverage, killers.get(file) ?? new Map())
      if (by) count(killers, file, by)
      const result = { file, line, from, to, nth, verdict, by, ms }
      results.push(result)
      appendFileSync(resultsFile, `${JSON.stringify(result)}\n`)
      say(`${results.length}/${total} ${verdict} ${file}:${line} ${to}${by ? ` (${by})` : ''} ${(ms / 1000).toFixed(1)} s`)
    }
  }
  const atOnce = Number(values.concurrency)
  // Definitions are mutated one at a time, because all tests clone the same template.
  const alone = waiting.filter((mutant) => atOnce > 1 && 'definition' in mutant)
  const together = waiting.filter((mutant) => !alone.includes(mutant))
  const number = waiting.length
  await Promise.all(Array.from({ length: atOnce }, () => work(together)))
  await work(alone)
  const seconds = (performance.now() - begun) / 1000
  say(`${number} mutants in ${seconds.toFixed(0)} s: ${(seconds / Math.max(1, number)).toFixed(1)} s each`)
  const failing = tests.filter((test) => !coverage[test]!.passed)
  if (failing.length) say(`left out, because they fail without a mutant: ${failing.join(', ')}`)
  return report(results, all)
}

function report(results: Recorded[], all: Mutant[]) {
  const exists = new Set(all.map(({ file, from, to }) => idOf({ file, from, to })))
  const own = survivors.filter(({ file }) => isAsked(file))
  const found = complaints(results, own, (survivor) => exists.has(idOf(survivor)))
  for (const complaint of found) say(complaint)
  say(table(results, survivors))
  return found.length === 0
}

function count(killers: Map<string, Map<string, number>>, file: string, by: string) {
  const own = killers.get(file) ?? new Map<string, number>()
  killers.set(file, own.set(by, (own.get(by) ?? 0) + 1))
}

type Judgement = Pick<Recorded, 'verdict' | 'by' | 'ms'>

async function judge(mutant: Mutant | SqlMutant, coverage: Record<string, Coverage>, killers: Map<string, number>): Promise<Judgement> {
  const selected = selectTests(coverage, mutant, killers, Number(values.most))
  if (!selected.length) return { verdict: 'uncovered', ms: 0 }
  if (!('definition' in mutant)) {
    const { start, end, text } = mutant
    return runAgainst({ url: pathToFileURL(join(root, mutant.file)).href, start, end, text }, selected, coverage)
  }
  const { definition, start, end, text } = mutant
  const mutated = definition.text.slice(0, start) + text + definition.text.slice(end)
  try {
    await inDatabase(TEMPLATE, (client) => define(client, definition, mutated))
  } catch {
    // PostgreSQL rejects it, so the migration would fail as well.
    return { verdict: 'killed', by: 'the migration', ms: 0 }
  }
  try {
    return await runAgainst(undefined, selected, coverage)
  } finally {
    await inDatabase(TEMPLATE, (client) => define(client, definition, definition.text))
  }
}

async function runAgainst(mutant: Parameters<typeof runTests>[1]['mutant'], selected: string[], coverage: Record<string, Coverage>) {
  const begun = performance.now()
  const took = () => Math.round(performance.now() - begun)
  for (const test of selected) {
    const run = await runTests(test, { mutant, mostMs: patience(coverage[test]!) })
    await databasesOf(run).then(dropDatabases)
    if (run.isLate) return { verdict: 'late' as const, by: test, ms: took() }
    if (!run.passed) return { verdict: 'killed' as const, by: test, ms: took() }
  }
  return { verdict: 'survived' as const, ms: took() }
}

await main()
