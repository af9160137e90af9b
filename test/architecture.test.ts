/** Rules that the compiler cannot check: allowed imports, complete lists, and forbidden content of files. */
import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { test } from 'node:test'
import { changeKinds } from '../server/lists/changes.ts'
import { cleaning } from '../server/lists/cleaning.ts'
import { endpoints } from '../server/lists/features.ts'
import { jobs, schedule } from '../server/lists/jobs.ts'
import { reminders } from '../server/lists/reminders.ts'
import { refusals } from '../server/platform/errors/refusal.ts'
import type { Reminders } from '../server/platform/jobs/reminders.ts'
import { importsIn } from './graph.ts'

const root = join(import.meta.dirname, '..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const files = globSync('{server,demo,test,bench,tools}/**/*.ts', { cwd: root }).toSorted()
const sources = files.filter((file) => file.startsWith('server/') && !file.endsWith('.test.ts'))

/**
 * The feature of a file or, for a file outside the features, its folder below `server/`; '' for files directly in `server/`. Identity is
 * one feature.
 */
const folderOf = (file: string) =>
  /^server\/(work\/meetings\/[^/]+|(?:people|access|record|work|site)\/[^/]+|[^/]+)\//.exec(file)?.[1] ?? ''
const notFeatures = ['', 'platform', 'migrations', 'lists', 'commands']
const isFeature = (file: string) => file.startsWith('server/') && !notFeatures.includes(folderOf(file))
const inFeatures = sources.filter(isFeature)
const platform = sources.filter((file) => folderOf(file) === 'platform')

const importsOf = (file: string) => importsIn(file, read(file)).map(({ to }) => to)
const importsThat = (some: string[], isWrong: (imported: string, file: string) => boolean) =>
  some.flatMap((file) =>
    importsOf(file)
      .filter((imported) => isWrong(imported, file))
      .map((imported) => `${file} imports ${imported}`),
  )
const filesWith = (some: string[], pattern: RegExp) =>
  some.flatMap((file) =>
    read(file)
      .split('\n')
      .flatMap((line, index) => (pattern.test(line) ? [`${file}:${index + 1} ${line.trim()}`] : [])),
  )

/** The files that other features may import. */
const lent = /^server\/[\w/-]+\/(queries|rules|shapes)\.ts$/

test('the graph of imports is not empty', () => {
  assert.ok(importsOf('server/record/history/set-routes.ts').includes('server/record/audit/queries.ts'))
  assert.ok(importsOf('server/platform/database/db.ts').includes('pg'))
})

test('a feature imports only the platform and the public files of other features', () => {
  const wrong = importsThat(inFeatures, (imported, file) => {
    const isOwn = folderOf(imported) === folderOf(file)
    const isPlatform = imported.startsWith('server/platform/')
    return imported.startsWith('server/') && !isOwn && !isPlatform && !lent.test(imported)
  })
  assert.deepEqual(wrong, [])
})

test('the platform imports only itself and packages', () => {
  assert.deepEqual(
    importsThat(platform, (imported) => imported.startsWith('server/') && !imported.startsWith('server/platform/')),
    [],
  )
})

test('no feature uses the connection pools', () => {
  assert.deepEqual(
    importsThat(inFeatures, (imported) => imported === 'pg'),
    [],
  )
  assert.deepEqual(filesWith(inFeatures, /\.pools\b|\.writes\b|\bopenDb\b/), [])
})

test('the server imports neither tests nor development tools', () => {
  const { devDependencies } = JSON.parse(read('package.json'))
  const wrong = importsThat(sources, (imported) => /^(test|bench|tools)\//.test(imported) || imported in devDependencies)
  assert.deepEqual(wrong, [])
})

test('the server uses each package of the image', () => {
  const { dependencies } = JSON.parse(read('package.json'))
  const text = sources.map(read).join('\n').replaceAll('`', "'")
  // The packages of fonts are named without their scope.
  const unused = Object.keys(dependencies).filter((name) => !text.includes(`'${name.replace('@expo-google-fonts/', '')}`))
  assert.deepEqual(unused, [])
})

test('the image contains the files outside server/ that the server imports', () => {
  const outside = sources.flatMap((file) => importsIn(file, read(file)).filter(({ to, isType }) => /^(web|client)\//.test(to) && !isType))
  // The build of the pages is imported only where it can run, which is not in the image.
  const needed = new Set(outside.flatMap(({ to }) => (to.startsWith('web/build/') ? [] : to)))
  assert.deepEqual([...needed], ['web/addresses.ts', 'web/desk-addresses.ts'])
  for (const file of needed) assert.match(read('Dockerfile'), new RegExp(`^COPY ${file} `, 'm'))
})

test('pages load nothing of the server except the rules for answers to forms, which import nothing', () => {
  const rules = 'server/work/service-forms/rules.ts'
  const pages = globSync('web/**/*.{ts,tsx}', { cwd: root, exclude: (name) => ['dist', 'build', 'fonts', 'testing'].includes(name) })
  const loaded = pages.filter((file) => !file.endsWith('.spec.ts')).flatMap((file) => importsIn(file, read(file)))
  assert.deepEqual(
    loaded.filter(({ to }) => to.startsWith('server/') && to !== rules),
    [],
  )
  assert.deepEqual(importsOf(rules), [])
  for (const file of ['Dockerfile', 'web/build/sources.ts']) assert.ok(read(file).includes(rules), `${file} needs it to build the pages`)
})

test('rules are pure: synchronous and without queries', () => {
  const rules = sources.filter((file) => basename(file) === 'rules.ts')
  assert.deepEqual(filesWith(rules, /\bawait\b|\basync\b|\bPromise\b/), [])
  assert.deepEqual(
    importsThat(rules, (imported) =>
      /platform\/(database\/db|changes\/transact|jobs\/runner|auth\/sessions)\.ts$|queries\.ts$|^(kysely|pg|node:fs)/.test(imported),
    ),
    [],
  )
})

test('only record() writes the tables of the record', () => {
  assert.deepEqual(
    filesWith(inFeatures, /insertInto\('(ledger|permissionHistory|events)'\)|insert into (ledger|permission_history|events)\b/),
    [],
  )
})

/** All exports of the modules at these paths. */
const exportsOf = async (some: string[]) =>
  (await Promise.all(some.map((file) => import(join(root, file))))).flatMap((module) => Object.entries<Record<string, unknown>>(module))

/** Fails with an instruction unless `exported` and `listed` contain the same names. */
function assertListed(exported: string[], listed: string[], list: string) {
  const missing = exported.filter((name) => !listed.includes(name))
  assert.equal(missing.length, 0, `add to ${list}: ${missing.join(', ')}`)
  assert.deepEqual(listed.toSorted(), exported.toSorted(), `${list} lists something twice, or what no feature exports`)
}

test('every endpoint of every feature is served', async () => {
  const exported = await exportsOf(sources.filter((file) => /\broutes?\.ts$/.test(basename(file))))
  const strangers = exported.filter(([, { at }]) => !at).map(([name]) => name)
  assert.deepEqual(strangers, [], 'routes.ts exports endpoints and nothing else')
  const served = endpoints.map(({ at }) => at)
  assertListed(
    exported.map(([, { at }]) => String(at)),
    served,
    'server/lists/features.ts',
  )
})

test('every kind of change of every feature is listed', async () => {
  const exported = await exportsOf(sources.filter((file) => isFeature(file) && /\bchanges\.ts$/.test(basename(file))))
  const kinds = exported.filter(([name]) => name.endsWith('Changes')).flatMap(([, kinds]) => Object.keys(kinds))
  assertListed(kinds, Object.keys(changeKinds), 'server/lists/changes.ts')
})

test('the reminders of every feature are listed', async () => {
  const exported = await exportsOf(sources.filter((file) => isFeature(file) && basename(file) === 'reminders.ts'))
  const all = exported.filter(([name]) => name.endsWith('Reminders')).flatMap(([, some]) => some as unknown as Reminders | Reminders[])
  assertListed(
    [...new Set(all.map(({ name }) => name))],
    reminders.map(({ name }) => name),
    'server/lists/reminders.ts',
  )
})

test('every job of every feature is listed, and every scheduled job exists', async () => {
  const exported = await exportsOf(sources.filter((file) => isFeature(file) && basename(file) === 'jobs.ts'))
  const listed = new Set<unknown>([...Object.values(jobs), ...cleaning.map((one) => 'clean' in one && one.clean)])
  const missing = exported.filter(([, job]) => typeof job === 'function' && !listed.has(job)).map(([name]) => name)
  assert.equal(missing.length, 0, `add to server/lists/jobs.ts, or to server/lists/cleaning.ts: ${missing.join(', ')}`)
  const scheduled = schedule
    .trim()
    .split('\n')
    .map((line) => line.split(' ')[5]!)
  assert.deepEqual(
    scheduled.filter((name) => !(name in jobs)),
    [],
    'the schedule in server/lists/jobs.ts names a job that does not exist',
  )
})

test('every refusal in the table is used', () => {
  const spoken = sources
    .filter((file) => basename(file) !== 'refusal.ts')
    .map(read)
    .join('\n')
  assert.deepEqual(
    Object.keys(refusals).filter((code) => !spoken.includes(`'${code}'`)),
    [],
    'delete these codes from server/platform/errors/refusal.ts, or use them',
  )
})

/** Files that may have more than 300 lines, and why. */
const long: Record<string, string> = {
  'server/platform/tables.ts': 'generated, one list of every table',
}

// SQL may be longer: a migration has all of a subject, such as the tables of notes with their triggers, and reads from top to bottom.
test('no file is longer than 300 lines', () => {
  const lines = (file: string) => read(file).split('\n').length - 1
  assert.deepEqual(
    files.filter((file) => lines(file) > 300 && !(file in long)),
    [],
  )
})

/** Files that may use unchecked types, and why. */
const unchecked: Record<string, string> = {
  'server/platform/database/db.ts': 'the driver overloads the method that is overridden a dozen times',
}

test('the server has no unchecked types', () => {
  const some = sources.filter((file) => !(file in unchecked))
  assert.deepEqual(filesWith(some, /\bas (never|unknown as)\b|[:<|&(,]\s*any(?=\s*([;,)=>|&\]}]|$))|\bany\[\]/), [])
})

test('no file contains a to-do, a skipped test or a suppressed check', () => {
  assert.deepEqual(
    filesWith(files, /\b(TO[D]O|FIX[M]E|XX[X])\b|\b(test|it|describe)\.(ski[p]|onl[y]|tod[o])\b|\bas an[y]\b|@ts-(ignor[e]|nochec[k])/),
    [],
  )
})

/** Test files that may use the id of their process, and why. */
const ofProcess: Record<string, string> = {
  'server/platform/postgres/cluster.test.ts': 'the name of a folder',
  'server/platform/postgres/lock-file.test.ts': 'what a lock file holds',
}

test('no test depends on chance, the process id or the clock', () => {
  const tests = [...files, ...globSync('web/**/*.ts', { cwd: root })].filter((file) => /\.(test|spec)\.ts$/.test(file))
  const some = tests.filter((file) => !(file in ofProcess) && !file.startsWith('test/architecture'))
  assert.deepEqual(filesWith(some, /process\.pid|Math\.random\(|Date\.now\(\) %|cpuUsage\(|memoryUsage\(/), [])
  const unseeded = some.filter((file) => /\bfc\.(assert|sample)\(/.test(read(file)) && !/\bgenerated\(/.test(read(file)))
  assert.deepEqual(unseeded, [], 'fast-check needs `generated` of test/suite.ts')
})

test('every file with tests of the slow suite has a twin named `.slow` beside it', () => {
  const declaring = globSync('{server,demo,test,web}/**/*.{test,spec}.ts', { cwd: root }).filter((file) =>
    /^ *slowTest\(/m.test(readFileSync(join(root, file), 'utf8')),
  )
  assert.ok(declaring.length > 0)
  const twinOf = (file: string) => file.replace(/\.(?=(?:test|spec)\.ts$)/, '.slow.')
  assert.deepEqual(
    declaring.filter((file) => !existsSync(join(root, twinOf(file)))),
    [],
  )
})

test('every test file that docs/security.md and docs/asvs.md name exists', () => {
  const pages = ['docs/security.md', 'docs/asvs.md'].map((page) => readFileSync(join(root, page), 'utf8'))
  const patterns = pages.flatMap((page) => [...page.matchAll(/`([\w/{},.-]+\.(test|spec)\.ts)`/g)].map(([, file]) => file!))
  const named = patterns.flatMap((file) => {
    const [before, some, after] = file.split(/[{}]/) as [string, string?, string?]
    return some === undefined ? [file] : some.split(',').map((one) => before + one + after)
  })
  assert.ok(named.length > 0)
  assert.deepEqual(
    named.filter((file) => !existsSync(join(root, file)) && !existsSync(join(root, 'server', file))),
    [],
  )
})

test('the counts that docs/asvs.md states match its tables', () => {
  const page = read('docs/asvs.md')
  const counts: Record<string, number> = {}
  for (const [, ids, state] of page.matchAll(/^\| (\d[^|]*) \| ([^|]*) \|/gm)) {
    const numbers = ids!.split(', ').map((range) => range.split('–').map((id) => Number(id.split('.').at(-1))))
    counts[state!] = (counts[state!] ?? 0) + numbers.reduce((sum, [first, last = first]) => sum + last! - first! + 1, 0)
  }
  const { met = 0, 'met where set': ifSet = 0, 'in part': inPart, 'not met': not, 'not applicable': none } = counts
  const [, ...said] = /^Of (\d+) requirements, (\d+) are met.* (\d+) in part, (\d+) are not, and (\d+) do not apply/m.exec(page)!
  assert.deepEqual(said.map(Number), [Object.values(counts).reduce((sum, one) => sum + one), met + ifSet, inPart, not, none])
})
