/** Mutates sources of the server, one small mistake at a time, and reports the mutants that no test nearby notices. */
import { hash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join, matchesGlob } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { ensurePages } from '../../server/site/pages/built.ts'
import { globalSetup, globalTeardown } from '../../test/setup.ts'
import { type Mutant, mutantsOf } from './mutants.ts'
import { allTests, type Measured, measure, testsNear } from './nearby.ts'
import { endTests, root, runTests } from './sandbox.ts'

const USAGE = `npm run test:mutations -- [options] FILE...
  FILE          a source of the server, or a pattern such as 'server/platform/http/*.ts'
  --tests GLOB  judges by these tests instead of those near the file
  --most N      judges by at most so many files of tests near the file (8)
  --sample N    tries so many mutants of each file, the same ones each time, instead of all
  --list        prints the mutants, and runs nothing`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    tests: { type: 'string' },
    most: { type: 'string', default: '8' },
    sample: { type: 'string' },
    list: { type: 'boolean' },
    help: { type: 'boolean' },
  },
})

/** Ctrl+C ends the run, with a report of the results so far. */
let isStopped = false
const say = (line: string) => console.log(line)
const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`

/** Chooses `--sample` mutants of a file by a hash of their content, so that changes of other lines do not change the choice. */
function sample(mutants: Mutant[]) {
  if (!values.sample) return mutants
  const lot = ({ from, to }: Mutant) => hash('sha256', `${from}\n${to}`)
  const drawn = mutants.toSorted((one, other) => (lot(one) < lot(other) ? -1 : 1)).slice(0, Number(values.sample))
  return mutants.filter((mutant) => drawn.includes(mutant))
}

async function measureTests(file: string) {
  const { tests } = values
  const chosen = tests ? allTests.filter((test) => matchesGlob(test, tests)) : testsNear(file, Number(values.most))
  const measured: Measured[] = []
  for (const test of chosen) {
    const one = await measure(test, file)
    if (isStopped) break
    say(one ? `  ${test} ${seconds(one.ms)}` : `  ${test} fails without a mutant, and is left out`)
    if (one) measured.push(one)
  }
  return measured.toSorted((one, other) => one.ms - other.ms)
}

/** The verdict on a mutant: the test that noticed it, or that it survived or was not reached. */
async function judge(file: string, mutant: Mutant, measured: Measured[]) {
  const { start, end, text } = mutant
  const reaching = measured.filter(({ executed }) => executed.subarray(start, end).includes(1))
  const env = {
    MUTANT: JSON.stringify({ url: pathToFileURL(join(root, file)).href, start, end, text }),
    NODE_OPTIONS: `--import=${join(import.meta.dirname, 'hook.ts')}`,
  }
  for (const { test, ms } of reaching) {
    // The machine may be busier than when the test was measured.
    const { verdict } = await runTests(test, { env, timeout: 10_000 + 4 * ms })
    if (verdict !== 'passed') return `${verdict === 'late' ? 'stopped as too slow' : 'killed'} by ${test}`
  }
  return reaching.length ? 'SURVIVED' : 'NOT REACHED'
}

const show = (file: string, { line, from, to }: Mutant) => `${file}:${line}\n    - ${from}\n    + ${to}`

async function run(files: string[]) {
  const living: string[] = []
  let tried = 0
  for (const file of files) {
    const mutants = sample(mutantsOf(readFileSync(join(root, file), 'utf8')))
    if (isStopped || !mutants.length) continue
    say(`${file}: ${mutants.length} mutants; its tests without a mutant:`)
    const measured = await measureTests(file)
    for (const [index, mutant] of mutants.entries()) {
      const begun = performance.now()
      const verdict = await judge(file, mutant, measured)
      if (isStopped) break
      tried++
      say(`${index + 1}/${mutants.length} ${verdict} (${seconds(performance.now() - begun)}) line ${mutant.line}: ${mutant.to}`)
      if (!/ by /.test(verdict)) living.push(`${verdict} ${show(file, mutant)}`)
    }
  }
  say(`\n${[...living, `${tried} mutants, of which ${living.length} live`].join('\n')}`)
}

async function main() {
  const files = globSync(positionals, { cwd: root }).filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  if (values.help || !files.length) return say(USAGE)
  if (values.list) {
    for (const file of files) for (const mutant of sample(mutantsOf(readFileSync(join(root, file), 'utf8')))) say(show(file, mutant))
    return
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => {
      isStopped = true
      endTests()
    })
  // A sandbox cannot build the pages. It drops every database that its tests leave, so the database server must be this run's own.
  await ensurePages(say)
  delete process.env['DATABASE_URL']
  await globalSetup()
  try {
    await run(files.toSorted())
  } finally {
    await globalTeardown()
  }
}

await main()
