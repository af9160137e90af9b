/**
 * Runs the tests nearest to what is not committed and, on a branch, to what is not on `main`, in about a minute; `npm test` runs all.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { type Import, importsIn } from './graph.ts'

const root = join(import.meta.dirname, '..')
const isTest = (file: string) => file.endsWith('.test.ts')
/** Files that use the whole portal, so importing them says nothing about what a test is about. */
const composed = /^(server\/[\w-]+\.ts|test\/(house|people|visitor|setup)\.ts|server\/platform\/(refusal|text|config|concurrency)\.ts)$/
const ALWAYS = ['test/architecture.test.ts']
/** What tests import that take long by their nature: they try many times, let calls race, or start the portal as a program. */
const lengthy = /^test\/(depth|duels|programs|process)\.ts$/
/** Where more than these are affected, those farther away are left out: a file that everything uses is in every test. */
const MOST = 20
/** Tests that read all files of some kind instead of importing them. */
const sweeps: [changed: RegExp, tests: string[]][] = [
  [/^server\/migrations\//, ['test/locks.test.ts', 'test/tables.test.ts', 'test/versions.test.ts']],
  [/^server\/platform\/(http|auth|changes)\//, ['test/sweep.test.ts', 'test/api.test.ts']],
  [/routes\.ts$/, ['test/api.test.ts']],
]

/**
 * The tests among `files` that a change of the files `changed` affects, nearest first: the changed tests, those of a changed file's name
 * and those that import it; those beside it, unless they are lengthy; and, unless they are too many, those beside its importers and
 * those that reach it through a helper.
 */
export function touchedBy(changed: readonly string[], files: readonly string[], imports: readonly Import[]) {
  const tests = files.filter(isTest)
  const importersOf = (file: string) => imports.filter(({ from, to }) => to === file && !composed.test(from)).map(({ from }) => from)
  const isLengthy = (test: string) => imports.some(({ from, to }) => from === test && lengthy.test(to))
  const beside = (file: string) => (/^server\/.*\//.test(file) ? tests.filter((test) => dirname(test) === dirname(file)) : [])
  const namedBy = (file: string) => (file.endsWith('.ts') ? [] : tests.filter((test) => read(test).includes(basename(file))))
  const sweepsOf = (file: string) => sweeps.flatMap(([pattern, some]) => (pattern.test(file) ? some : []))
  const importers = (file: string) => (composed.test(file) ? [] : importersOf(file))
  const helpers = (file: string) => importers(file).filter((importer) => importer.startsWith('test/') && !isTest(importer))

  const own = changed.flatMap((file) => [file, file.replace(/\.ts$/, '.test.ts'), ...importers(file), ...namedBy(file)])
  const near = changed.flatMap(beside)
  const far = changed.flatMap((file) => [...importers(file).flatMap(beside), ...helpers(file).flatMap(importersOf)])
  const among = (some: string[]) => tests.filter((test) => some.includes(test))
  const brief = (some: string[]) => among(some).filter((test) => !isLengthy(test))
  const nearest = new Set([...among(own), ...brief(near), ...changed.flatMap(sweepsOf), ...ALWAYS])
  const all = new Set([...nearest, ...brief(far)])
  return [...(all.size > MOST ? nearest : all)]
}

const read = (file: string) => readFileSync(join(root, file), 'utf8')
const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean)

function changedFiles() {
  const [base = 'HEAD'] = git('merge-base', 'HEAD', 'main')
  return [...new Set([...git('diff', '--name-only', base), ...git('ls-files', '--others', '--exclude-standard')])]
}

if (import.meta.main) {
  const files = globSync('{server,test}/**/*.ts', { cwd: root }).toSorted()
  const touched = touchedBy(
    changedFiles(),
    files,
    files.flatMap((file) => importsIn(file, read(file))),
  )
  console.log(`${touched.length} files of tests:\n  ${touched.join('\n  ')}`)
  const { status } = spawnSync('npm', ['run', '--silent', 'test:files', '--', ...touched], { cwd: root, stdio: 'inherit' })
  process.exitCode = status ?? 1
}
