/**
 * `npm run check`: all checks that do not run the portal, several at a time. Prints every failure, not only the first. With the argument
 * `beside-tests`, it leaves out the checks that `npm test` runs as tests.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { semaphore } from '../server/platform/concurrency.ts'

interface Step {
  name: string
  command: string
  /** Whether the step reads `client/schema.d.ts`, which has to be generated first. */
  readsClient?: boolean
  isTest?: true
}

const client: Step = { name: 'client types', command: 'node client/generate.ts' }
/** The slowest steps first. Each compiler has one checker: several would infer the same types again, and other steps run beside it. */
const steps: Step[] = [
  { name: 'lint of openapi.json', command: 'node test/lint-document.ts' },
  { name: 'types of server and tests', command: 'tsc --checkers 1', readsClient: true },
  { name: 'types of journeys', command: 'tsc --checkers 1 -p web/tsconfig.spec.json', readsClient: true },
  { name: 'unused code', command: 'knip', readsClient: true },
  { name: 'style', command: 'biome check --error-on-warnings .' },
  { name: 'server/platform/tables.ts', command: 'node test/tables.ts --check' },
  { name: 'openapi.json', command: 'node server/commands/openapi.ts --check' },
  { name: 'docs/sql', command: 'node tools/sql/main.ts --check' },
  { name: 'types of pages', command: 'tsc --checkers 1 -p web', readsClient: true },
  { name: 'commits', command: 'node tools/commits.ts' },
  { name: 'types of the service worker', command: 'tsc --checkers 1 -p web/tsconfig.worker.json' },
  {
    name: 'rules of the sources',
    isTest: true,
    command: 'node --test --test-reporter=spec test/architecture.test.ts test/graph.test.ts test/pages.test.ts',
  },
]

const root = `${import.meta.dirname}/..`
// The step docs/sql needs the coverage of branches, which code from the compile cache does not have.
const env = { ...process.env, PATH: `${root}/node_modules/.bin:${process.env['PATH']}`, NODE_DISABLE_COMPILE_CACHE: '1' }
const failed: { name: string; command: string; output: string }[] = []

async function run({ name, command }: Step) {
  const start = performance.now()
  const child = spawn(`${command} 2>&1`, { cwd: root, env, shell: true, stdio: ['ignore', 'pipe', 'inherit'] })
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'close')])
  const isPassed = code === 0
  if (!isPassed) failed.push({ name, command, output })
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  console.log(`${isPassed ? 'passed' : 'FAILED'} ${seconds.padStart(5)} s  ${name}`)
}

// One more than the processors of a small machine, because some steps wait for a disk or a database.
const inTurn = semaphore(3)
const generated = inTurn(() => run(client))
const chosen = process.argv[2] === 'beside-tests' ? steps.filter(({ isTest }) => !isTest) : steps
await Promise.all([
  generated,
  ...chosen.map(async (step) => {
    if (step.readsClient) await generated
    await inTurn(() => run(step))
  }),
])

for (const { name, command, output } of failed) console.error(`\n${name}: npx ${command}\n${output.trimEnd()}`)
if (failed.length > 0) process.exitCode = 1
