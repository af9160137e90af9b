/** TestPortal rules that the compiler cannot check: which imports are allowed, what must be listed, and what a file must not contain. */
import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { test } from 'node:test'
import { changeKinds } from '../server/changes.ts'
import { endpoints } from '../server/features.ts'
import { jobs, schedule } from '../server/jobs.ts'
import { refusals } from '../server/platform/refusal.ts'
import { importsIn } from './graph.ts'

const root = join(import.meta.dirname, '..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const files = globSync('{server,test,bench}/**/*.ts', { cwd: root }).toSorted()
const sources = files.filter((file) => file.startsWith('server/') && !file.endsWith('.test.ts'))

/** The feature or other folder below `server/` that a file is in; '' for files directly in `server/`. */
const folderOf = (file: string) => /^server\/(executive-meetings\/[^/]+|[^/]+)\//.exec(file)?.[1] ?? ''
const notFeatures = ['', 'platform', 'demo', 'migrations']
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

/** What other features may import. */
const lent = /^server\/[\w/-]+\/(queries|rules|shapes)\.ts$/

test('the imports are found', () => {
  assert.ok(importsOf('server/users/routes.ts').includes('server/audit/queries.ts'))
  assert.ok(importsOf('server/platform/database/db.ts').includes('pg'))
})

test('a feature imports the platform, the tables, and what other features lend', () => {
  const wrong = importsThat(inFeatures, (imported, file) => {
    const isOwn = folderOf(imported) === folderOf(file)
    const isPlatform = imported.startsWith('server/platform/') || imported === 'server/tables.ts'
    return imported.startsWith('server/') && !isOwn && !isPlatform && !lent.test(imported)
  })
  assert.deepEqual(wrong, [])
})

test('the platform imports itself, packages, and the tables', () => {
  assert.deepEqual(
    importsThat(platform, (imported) => imported.startsWith('server/') && !/^server\/(platform\/|tables\.ts$)/.test(imported)),
    [],
  )
})

/** Names of features and tables that the platform may contain, and why. */
const platformWords: Record<string, string> = {
  access: 'what an actor may do',
  users: 'whose sessions are authenticated',
  roles: 'what an actor holds',
  permissions: 'what an actor holds',
  groups: 'what an actor is in',
  sessions: 'what is authenticated',
  events: 'what streams tell, and where they are kept',
  objects: 'what a store keeps',
  audit: 'what a change may be listed in',
  notifications: 'what a change may be followed by',
  ledger: 'where changes are recorded',
  requests: 'those of HTTP',
  settings: 'those of PostgreSQL',
  system: 'the machine’s',
  push: 'the method of lists',
  pages: 'those of a long list, and those that call',
  eventHorizon: 'the edge of what is kept of the events',
  permissionHistory: 'where changes are recorded',
  rateLimits: 'where tries are counted',
  leases: 'where it is counted what instances hold',
  idempotencyKeys: 'what was answered to calls that may be sent again',
  storage: 'what a browser is told to clear',
  accessEpoch: 'the version of what everyone may do',
  userAccess: 'the version of what one person may do',
  gatheredChanges: 'where changes are recorded',
  effectiveRoles: 'what an actor holds',
  groupUsers: 'what an actor is in',
  rolePermissions: 'what an actor holds',
}
/** Lists to which every feature contributes. */
const platformLists = ['server/platform/config.ts', 'server/platform/field-errors.ts', 'server/platform/refusal.ts']

test('no file of the platform holds the name of a feature or of its tables', () => {
  const features = [...new Set(inFeatures.map((file) => basename(folderOf(file))))]
  const tables = [...read('server/tables.ts').matchAll(/^ {2}(\w+): \{$/gm)].map(([, name]) => name!)
  assert.ok(features.includes('orders') && tables.includes('appOpens'))
  const names = [...features, ...tables].filter((name) => !(name in platformWords))
  const forms = names.flatMap((name) => [name, name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)])
  const named = new RegExp(`(?<![\\w-])(${forms.join('|')})(?![\\w-])`)
  const some = platform.filter((file) => !platformLists.includes(file))
  assert.deepEqual(filesWith(some, named), [], 'move what names it to its feature, or to a list that is handed in')
  const text = some.map(read).join('\n')
  const unused = Object.keys(platformWords).filter(
    (word) => !text.includes(word) && !text.includes(word.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)),
  )
  assert.deepEqual(unused, [], 'these words need no exemption any more')
})

test('no feature reaches the pools', () => {
  assert.deepEqual(
    importsThat(inFeatures, (imported) => imported === 'pg'),
    [],
  )
  assert.deepEqual(filesWith(inFeatures, /\.pools\b|\.writes\b|\bopenDb\b/), [])
})

test('the server imports nothing from the tests, nor from what only develops it', () => {
  const { devDependencies } = JSON.parse(read('package.json'))
  const wrong = importsThat(sources, (imported) => /^(test|bench)\//.test(imported) || imported in devDependencies)
  assert.deepEqual(wrong, [])
})

test('rules are pure: they wait for nothing and ask no database', () => {
  const rules = sources.filter((file) => basename(file) === 'rules.ts')
  assert.deepEqual(filesWith(rules, /\bawait\b|\basync\b|\bPromise\b/), [])
  assert.deepEqual(
    importsThat(rules, (imported) =>
      /platform\/(database\/db|changes\/transact|jobs\/runner|auth\/sessions)\.ts$|queries\.ts$|^(kysely|pg|node:fs)/.test(imported),
    ),
    [],
  )
})

test('what must be written by record() is written by nothing else', () => {
  assert.deepEqual(
    filesWith(inFeatures, /insertInto\('(ledger|permissionHistory|events)'\)|insert into (ledger|permission_history|events)\b/),
    [],
  )
})

/** All exports of the modules at these paths. */
const exportsOf = async (some: string[]) =>
  (await Promise.all(some.map((file) => import(join(root, file))))).flatMap((module) => Object.entries<Record<string, unknown>>(module))

/** Fails, saying what to do, unless both contain the same names. */
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
    'server/features.ts',
  )
})

test('every kind of change of every feature is listed', async () => {
  const exported = await exportsOf(sources.filter((file) => isFeature(file) && basename(file) === 'changes.ts'))
  const kinds = exported.filter(([name]) => name.endsWith('Changes')).flatMap(([, kinds]) => Object.keys(kinds))
  assertListed(kinds, Object.keys(changeKinds), 'server/changes.ts')
})

test('every job of every feature is listed, and what runs regularly is a job', async () => {
  const exported = await exportsOf(sources.filter((file) => isFeature(file) && basename(file) === 'jobs.ts'))
  const listed = new Set<unknown>(Object.values(jobs))
  const missing = exported.filter(([, job]) => typeof job === 'function' && !listed.has(job)).map(([name]) => name)
  assert.equal(missing.length, 0, `add to server/jobs.ts: ${missing.join(', ')}`)
  const scheduled = schedule
    .trim()
    .split('\n')
    .map((line) => line.split(' ')[5]!)
  assert.deepEqual(
    scheduled.filter((name) => !(name in jobs)),
    [],
    'the schedule in server/jobs.ts names what is no job',
  )
})

test('every refusal is one that somebody may hear', () => {
  const spoken = sources
    .filter((file) => basename(file) !== 'refusal.ts')
    .map(read)
    .join('\n')
  assert.deepEqual(
    Object.keys(refusals).filter((code) => !spoken.includes(`'${code}'`)),
    [],
    'delete these codes from server/platform/refusal.ts, or use them',
  )
})

/** Files that may have more than 300 lines, and why. */
const long: Record<string, string> = {
  'server/tables.ts': 'generated, one list of every table',
}

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
  'server/platform/http/docs-page.ts': 'the plug-ins know neither a document of version 3.1 nor a page without their logo',
}

test('no type is waved through in the server', () => {
  const some = sources.filter((file) => !(file in unchecked))
  assert.deepEqual(filesWith(some, /\bas (never|unknown as)\b|[:<|&(,]\s*any(?=\s*([;,)=>|&\]}]|$))|\bany\[\]/), [])
})

test('nothing is left for later, skipped, or let through unchecked', () => {
  assert.deepEqual(
    filesWith(files, /\b(TO[D]O|FIX[M]E|XX[X])\b|\b(test|it|describe)\.(ski[p]|onl[y]|tod[o])\b|\bas an[y]\b|@ts-(ignor[e]|nochec[k])/),
    [],
  )
})

test('every test that docs/security.md names is there', () => {
  const page = readFileSync(join(root, 'docs/security.md'), 'utf8')
  const named = [...page.matchAll(/`([\w/-]+\.(test|spec)\.ts)`/g)].map(([, file]) => file!)
  assert.ok(named.length > 0)
  assert.deepEqual(
    named.filter((file) => !existsSync(join(root, file))),
    [],
  )
})
