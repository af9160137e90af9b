/** The output of `npm run new-feature`: the files of `tools/feature/` under another name, and a line in each list of features. */
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

/** Replaces the name in the templates, in each of its spellings. */
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

/**
 * Returns the files that contain lists, with the lines of `lists.diff.txt` added. There, the name of a file comes first; each line with a
 * `+` is inserted below the line above it.
 */
function joinLists(root: string, rename: (text: string) => string) {
  const files: Record<string, string> = {}
  let [file, after] = ['', '']
  for (const line of readFileSync(join(TEMPLATES, 'lists.diff.txt'), 'utf8').split('\n').filter(Boolean)) {
    if (line.startsWith('+')) {
      const added = rename(line.slice(1))
      files[file] = files[file]!.replace(`\n${after}\n`, () => `\n${after}\n${added}\n`)
      after = added
    } else if (line.startsWith(' ')) {
      after = line.slice(1)
      if (!files[file]!.includes(`\n${after}\n`))
        throw new Error(`${file} has no line "${after.trim()}" any more: correct tools/feature/lists.diff.txt`)
    } else {
      file = line
      files[file] = readFileSync(join(root, file), 'utf8')
    }
  }
  return files
}

/** The reason why a feature cannot have this name; undefined if it can. */
function objection(root: string, plural: string, singular: string) {
  if (!/^[a-z]+(-[a-z]+)*$/.test(plural) || plural.length > 30)
    return 'a name is at most 30 small English letters, words joined by hyphens: meeting-rooms'
  if (singular === plural) return 'a name is a plural, such as announcements; of an irregular one give both: people person'
  if (!/^[a-z]+(-[a-z]+)*$/.test(singular)) return `${singular} is no name`
  if (existsSync(join(root, 'server/work', plural))) return `server/work/${plural} is there already`
  const table = camel(plural)
  if (readFileSync(join(root, 'server/platform/tables.ts'), 'utf8').includes(`\n  ${table}: {`)) return `there is a table ${table} already`
  if (readFileSync(join(root, 'server/lists/changes.ts'), 'utf8').includes(`| '${singular.replaceAll('-', '_')}'`))
    return `changes can be about a ${singular} already`
}

/** All files of a new feature except generated ones. Throws a message for the user if the name is refused. */
export function planFeature(root: string, plural: string, singular = singularOf(plural)): Record<string, string> {
  const refused = objection(root, plural, singular)
  if (refused) throw new Error(refused)
  const rename = renaming(plural, singular)
  const template = (name: string) => rename(readFileSync(join(TEMPLATES, name), 'utf8'))
  const number = String(readdirSync(join(root, 'server/migrations')).length + 1).padStart(4, '0')
  const folder = `server/work/${plural}`
  const files: Record<string, string> = {
    [`server/migrations/${number}_${plural.replaceAll('-', '_')}.sql`]: template('migration.sql.txt'),
    [`${folder}/${plural}.test.ts`]: template('test.ts.txt'),
  }
  for (const name of ['shapes', 'queries', 'changes', 'routes']) files[`${folder}/${name}.ts`] = template(`${name}.ts.txt`)
  return { ...files, ...joinLists(root, rename) }
}
