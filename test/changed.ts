/**
 * Runs the tests affected by what is not committed and, on a branch, by what is not on `main`: the tests beside a changed file and
 * beside the files that import it, the tests that import any of these, and the house rules.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { type Import, importsIn } from './graph.ts'

const root = join(import.meta.dirname, '..')
const isTest = (file: string) => file.endsWith('.test.ts')
/** Files that use the whole portal, so importing them says nothing about what a test is about. */
const composed = /^(server\/[\w-]+\.ts|test\/(house|people|visitor|setup)\.ts|server\/platform\/(refusal|text|config|concurrency)\.ts)$/
const ALWAYS = ['test/house.test.ts']
/** Tests that read all files of some kind instead of importing them. */
const sweeps: [changed: RegExp, tests: string[]][] = [
  [/^server\/migrations\//, ['test/locks.test.ts', 'test/tables.test.ts', 'test/versions.test.ts']],
  [/^server\/platform\/(http|auth|changes)\//, ['test/sweep.test.ts', 'test/api.test.ts']],
  [/routes\.ts$/, ['test/api.test.ts']],
]

/** The tests among `files` that a change of the files `changed` affects. */
export function touchedBy(changed: readonly string[], files: readonly string[], imports: readonly Import[]) {
  const importersOf = (file: string) => imports.filter(({ from, to }) => to === file && !composed.test(from)).map(({ from }) => from)
  const touched = new Set<string>()
  for (const file of changed) {
    const importers = composed.test(file) ? [] : importersOf(file)
    const helpers = importers.filter((importer) => importer.startsWith('test/') && !isTest(importer))
    for (const near of [file, ...importers, ...helpers.flatMap(importersOf)]) {
      if (isTest(near)) touched.add(near)
      else if (near.startsWith('server/') && dirname(near) !== 'server')
        for (const test of files) if (isTest(test) && dirname(test) === dirname(near)) touched.add(test)
    }
    for (const [pattern, tests] of sweeps) if (pattern.test(file)) for (const test of tests) touched.add(test)
    if (!file.endsWith('.ts')) for (const test of files) if (isTest(test) && read(test).includes(basename(file))) touched.add(test)
  }
  return [...touched, ...ALWAYS.filter((test) => !touched.has(test))].toSorted()
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
