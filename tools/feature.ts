/** What `npm run new-feature` writes: the files of `tools/feature/` under another name, and a line in each list of features. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const TEMPLATES = join(import.meta.dirname, 'feature')

const capital = (text: string) => text[0]!.toUpperCase() + text.slice(1)
const camel = (kebab: string) => kebab.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())
const singularOf = (plural: string) =>
  plural
    .replace(/s$/, '')
    .replace(/ie$/, 'y')
    .replace(/(s|x|z|ch|sh)e$/, '$1')

/** Replaces the name of the templates, in each way in which names are written. */
function renaming(plural: string, singular: string) {
  const article = /^[aeiou]/.test(singular) ? 'an' : 'a'
  const words: [from: RegExp, to: (name: string) => string][] = [
    [/some-thing(s?)/g, (name) => name],
    [/some_thing(s?)/g, (name) => name.replaceAll('-', '_')],
    [/someThing(s?)/g, camel],
    [/SomeThing(s?)/g, (name) => capital(camel(name))],
    [/\ba some thing\b()/g, (name) => `${article} ${name.replaceAll('-', ' ')}`],
    [/some thing(s?)/g, (name) => name.replaceAll('-', ' ')],
    [/Some thing(s?)/g, (name) => capital(name.replaceAll('-', ' '))],
  ]
  return (text: string) =>
    words.reduce((done, [from, to]) => done.replace(from, (_, isPlural: string) => to(isPlural ? plural : singular)), text)
}

/** What joins the lists of features, in each after a line that is there. */
const lists: Record<string, [after: string, added: string][]> = {
  'server/changes.ts': [
    ["import { appChanges } from './apps/changes.ts'", "import { someThingChanges } from './some-things/changes.ts'"],
    ['  ...appChanges,', '  ...someThingChanges,'],
    ["      | 'app'", "      | 'some_thing'"],
  ],
  'server/events/shapes.ts': [
    ["import { appEvents } from '../apps/shapes.ts'", "import { someThingEvents } from '../some-things/shapes.ts'"],
    ['  ...appEvents,', '  ...someThingEvents,'],
  ],
  'server/features.ts': [
    ["import * as apps from './apps/routes.ts'", "import * as someThings from './some-things/routes.ts'"],
    [
      "  ['services', 'The catalogue of services', services],",
      "  ['some-things', 'Some things, which administrators edit and everyone reads', someThings],",
    ],
  ],
  'web/platform/events-to-cache.ts': [
    ["  settings_changed: () => invalidate('/settings'),", "  some_things_changed: () => invalidate('/some-things'),"],
  ],
  'test/makers.ts': [
    ['    appFields,', "    newSomeThing: (fields: object = {}) => make<MadeService>('/some-things', { ...serviceNames, ...fields }),"],
  ],
  'test/furnish.ts': [
    ["    await make('/permissions', { name: `test.made${n}` })", "    await make('/some-things', { nameAr: 'مثال', nameEn: 'Example' })"],
  ],
  'test/locks.test.ts': [["  const role = await make.newRole(['portal.it'])", '  await make.newSomeThing()']],
  'test/event-shapes.test.ts': [
    [
      "  'service.created': () => make.newService(),",
      `  'some_thing.created': () => make.newSomeThing(),
  'some_thing.updated': async () => portal.admin.patch(\`/some-things/\${(await make.newSomeThing()).id}\`, { nameEn: 'Another' }),
  'some_thing.deleted': async () => portal.admin.delete(\`/some-things/\${(await make.newSomeThing()).id}\`),`,
    ],
  ],
  'test/etags.test.ts': [
    [
      'const records: Record<string, Edited> = {',
      "  'a some thing': { at: '/some-things/{id}', make: async () => `/some-things/${(await make.newSomeThing()).id}`, edits: names },",
    ],
  ],
  'test/parts.test.ts': [
    [
      "    await admin.post('/notes/folders', { name: 'Folder' })",
      "    await admin.post('/some-things', { nameAr: 'مثال', nameEn: 'Example' })",
    ],
    ["  '/services': (path) => path,", "  '/some-things': (path) => path,"],
  ],
}

/** Why the portal can have no feature of this name; undefined where it can. */
function objection(root: string, plural: string, singular: string) {
  if (!/^[a-z]+(-[a-z]+)*$/.test(plural) || plural.length > 30)
    return 'a name is at most 30 small English letters, words joined by hyphens: meeting-rooms'
  if (singular === plural) return 'a name is a plural, such as announcements; of an irregular one give both: people person'
  if (!/^[a-z]+(-[a-z]+)*$/.test(singular)) return `${singular} is no name`
  if (existsSync(join(root, 'server', plural))) return `server/${plural} is there already`
  const table = camel(plural)
  if (readFileSync(join(root, 'server/tables.ts'), 'utf8').includes(`\n  ${table}: {`)) return `there is a table ${table} already`
  if (readFileSync(join(root, 'server/changes.ts'), 'utf8').includes(`| '${singular.replaceAll('-', '_')}'`))
    return `changes can be about a ${singular} already`
}

/** All that a new feature takes, except what commands generate. Throws a line to show where the name will not do. */
export function planFeature(root: string, plural: string, singular = singularOf(plural)): Record<string, string> {
  const refused = objection(root, plural, singular)
  if (refused) throw new Error(refused)
  const rename = renaming(plural, singular)
  const template = (name: string) => rename(readFileSync(join(TEMPLATES, name), 'utf8'))
  const number = String(readdirSync(join(root, 'server/migrations')).length + 1).padStart(4, '0')
  const folder = `server/${plural}`
  const files: Record<string, string> = {
    [`server/migrations/${number}_${plural.replaceAll('-', '_')}.sql`]: template('migration.sql.txt'),
    [`${folder}/${plural}.test.ts`]: template('test.ts.txt'),
  }
  for (const name of ['shapes', 'queries', 'changes', 'routes']) files[`${folder}/${name}.ts`] = template(`${name}.ts.txt`)
  for (const [file, additions] of Object.entries(lists)) {
    files[file] = additions.reduce(
      (text, [after, added]) => {
        if (!text.includes(`${after}\n`))
          throw new Error(`${file} has no line "${after.trim()}" any more: mend \`lists\` in tools/feature.ts`)
        return text.replace(`${after}\n`, () => `${after}\n${rename(added)}\n`)
      },
      readFileSync(join(root, file), 'utf8'),
    )
  }
  return files
}
