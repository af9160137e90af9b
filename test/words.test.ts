/** The words of docs/glossary.md: those marked as identifiers exist, and those that have been replaced are not used. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { tokenizer } from 'acorn'

const root = join(import.meta.dirname, '..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const files = globSync('{server,test,bench}/**/*.ts', { cwd: root }).toSorted()

/** The identifiers of a TypeScript file with their lines, without the words of comments and strings. */
function identifiersOf(file: string) {
  // The tokenizer knows only JavaScript, in which a division after a non-null `!` would begin a regular expression.
  const source = read(file).replaceAll('! /', '  /')
  const found: { name: string; line: number }[] = []
  for (const { type, start, end, loc } of tokenizer(source, { ecmaVersion: 'latest', sourceType: 'module', locations: true }))
    if (type.label === 'name' || type.label === 'privateId') found.push({ name: source.slice(start, end), line: loc!.start.line })
  return found
}
const identifiers = files.flatMap((file) => identifiersOf(file).map((one) => ({ file, ...one })))

/** Replaced words, and their replacements. */
const replaced: [word: RegExp, instead: string][] = [
  [/^(admission|admissions|admit|admits|admitted)$/i, 'authenticate'],
  [/^perform(s|ed)?$/i, 'transact'],
  [/^(kept|keptFor\w*|shelf|shelve\w*)$/i, 'cache, or what it is'],
  [/^(reach|reachOf|whom)$/i, 'recipients'],
  [/^shows$/i, 'payload'],
  [/^says$/i, 'template'],
  [/^(turn|turns|inTurns?|lastTurn)$/i, 'mutex, mutexKey, or OrderChange'],
  [/^inCompany$/, 'singleFlight'],
  [/^inLanes$/, 'semaphore'],
  [/^inBatches$/, 'batched'],
  [/^\w*desk$/i, 'JobContext'],
  [/^openings$/i, 'app opens'],
  [/^about$/, 'targetType'],
  [/^subject$/i, 'targetId'],
]
/** Where a replaced word is right after all, and why. */
const exceptions: Record<string, string> = {
  'server/platform/config.ts subject': 'of a VAPID key pair, as RFC 8292 calls it',
  'server/platform/config.test.ts subject': 'of a VAPID key pair',
  'server/push/vapid.test.ts subject': 'of a VAPID key pair',
  'server/accounts/mail.ts subject': 'of a mail',
  'server/accounts/mail.test.ts subject': 'of a mail',
}

test('no replaced word is an identifier', () => {
  const used = identifiers.flatMap(({ file, line, name }) => {
    const [, instead] = replaced.find(([word]) => word.test(name)) ?? []
    return instead && !(`${file} ${name}` in exceptions) ? [`${file}:${line} ${name}: say ${instead}`] : []
  })
  assert.deepEqual(used, [])
})

test('every exception is needed', () => {
  const used = new Set(identifiers.map(({ file, name }) => `${file} ${name}`))
  assert.deepEqual(
    Object.keys(exceptions).filter((exception) => !used.has(exception)),
    [],
  )
})

test('every identifier of the glossary exists', () => {
  const server = files.filter((file) => file.startsWith('server/') && !file.endsWith('.test.ts'))
  const sql = globSync('server/migrations/*.sql', { cwd: root }).map(read).join('\n')
  const names = new Set(identifiers.filter(({ file }) => server.includes(file)).map(({ name }) => name))
  const sources = server.map(read).join('\n')
  const exists = (term: string) =>
    names.has(term) || new RegExp(`\\b${term}\\b`).test(sql) || sources.includes(`'${term}'`) || globSync(term, { cwd: root }).length > 0
  const terms = [...read('docs/glossary.md').matchAll(/`([^`]+)`/g)].map(([, term]) => term!).filter((term) => /^[\w./-]+$/.test(term))
  assert.ok(terms.length > 40)
  assert.deepEqual(
    terms.filter((term) => !exists(term)),
    [],
    'docs/glossary.md names what the sources do not have',
  )
})
