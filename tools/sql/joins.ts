/** Finds the places in sources that put a join or a common table expression into a statement of Kysely. It relies on the formatting of the sources. */
import { dirname, join, normalize } from 'node:path'

/** A join or a common table expression in SQL, or the call of Kysely that makes one. */
export const JOINED =
  /\bjoin\s+(?:lateral\s+)?["$({\w]|\bwith\s+(?!ordinality\b)(?:recursive\s+)?(?:"?\w+"?(?:\s*\([^)]*\))?\s+as\b|\$\{sql\b)|Join(?:Lateral)?\(|\.with(?:Recursive)?\(/
const SENDS = /\.(?:execute(?:TakeFirst(?:OrThrow)?)?|query)[<(]/
/** Text that does not match this, such as a description, is not part of a statement of Kysely. */
const QUERIES = /\bsql[<`.]|(?:selectFrom|insertInto|updateTable|deleteFrom)\(|\.execute/

/** A declaration at the top level of a file, up to the next one. */
interface Declaration {
  file: string
  name: string
  start: number
  text: string
  /** For each name that the file imports, its declaration as `FILE NAME`. */
  imported: Map<string, string>
}

/** The text with blanks in place of its comments. */
const withoutComments = (text: string) => text.replace(/^ *(?:\/\*\*.*?\*\/|\/\/[^\n]*)/gms, (comment) => comment.replace(/[^\n]/g, ' '))

function importedBy(file: string, text: string) {
  const statements = text.matchAll(/^import \{([^}]*)\} from '(\.[^']*)'$/gm)
  const names = Array.from(statements, ([, list, from]) =>
    list!.split(',').map((one): [string, string] => {
      const [name, alias = name] = one.trim().split(' as ')
      return [alias!, `${normalize(join(dirname(file), from!))} ${name}`]
    }),
  )
  return new Map(names.flat())
}

function declarationsIn(file: string, source: string): Declaration[] {
  const text = withoutComments(source)
  const imported = importedBy(file, text)
  const starts = [...text.matchAll(/^(?:export )?(?:const|let|class|(?:async )?function\*?) (\w+)/gm)]
  return starts.map(({ index, 1: name }, n) => ({
    file,
    name: name!,
    start: index,
    text: text.slice(index, starts[n + 1]?.index),
    imported,
  }))
}

/**
 * Finds the places where a declaration that builds or sends statements has a join or a common table expression, or uses a fragment that has
 * one. A fragment is a declaration that writes SQL and does not send it. `sources` maps files to their texts; a place is a file and an
 * offset in it.
 */
export function joiningPlaces(sources: Record<string, string>) {
  const all = Object.entries(sources).flatMap(([file, source]) => declarationsIn(file, source))
  const byName = new Map(all.map((one) => [`${one.file} ${one.name}`, one]))
  const known = new Map<Declaration, number[]>()

  const isJoiningFragment = (name: string, { file, imported }: Declaration) => {
    const used = byName.get(imported.get(name) ?? `${file} ${name}`)
    const isFragment = used && (QUERIES.test(used.text) || JOINED.test(used.text)) && !SENDS.test(used.text)
    return isFragment && offsetsIn(used).length > 0
  }
  function offsetsIn(one: Declaration): number[] {
    const before = known.get(one)
    if (before) return before
    const own = Array.from(one.text.matchAll(new RegExp(JOINED, 'g')), ({ index }) => index)
    known.set(one, own)
    const words = [...one.text.matchAll(/\w+/g)].filter(([word]) => word !== one.name && isJoiningFragment(word, one))
    const offsets = [...own, ...words.map(({ index }) => index)]
    known.set(one, offsets)
    return offsets
  }

  return all
    .filter(({ text }) => QUERIES.test(text))
    .flatMap((one) => offsetsIn(one).map((offset) => ({ file: one.file, offset: one.start + offset })))
}
