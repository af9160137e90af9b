/** A small edit of a text. */
export interface Edit {
  start: number
  end: number
  /** The replacement. */
  text: string
}

export interface Mutant extends Edit {
  /** The path below the root of the repository. */
  file: string
  line: number
  /** The changed lines before and after, each joined into one line and trimmed. */
  from: string
  to: string
}

const MOST_SHOWN = 160

export const applyEdit = (text: string, { start, end, text: instead }: Edit) => text.slice(0, start) + instead + text.slice(end)

const inOneLine = (text: string) => text.replace(/\s+/g, ' ').trim().slice(0, MOST_SHOWN)

/** Turns edits of a file into mutants, without edits that change nothing and without duplicates. */
export function describeEdits(file: string, text: string, edits: Edit[], firstLine = 1): Mutant[] {
  const mutants = edits.map((edit): Mutant => {
    const begin = text.lastIndexOf('\n', edit.start - 1) + 1
    const newline = text.indexOf('\n', edit.end)
    const end = newline < 0 ? text.length : newline
    const line = firstLine + text.slice(0, edit.start).split('\n').length - 1
    const [from, to] = [
      text.slice(begin, end),
      applyEdit(text.slice(begin, end), { ...edit, start: edit.start - begin, end: edit.end - begin }),
    ]
    return { ...edit, file, line, from: inOneLine(from), to: inOneLine(to) }
  })
  const places = new Set<string>()
  return mutants.filter(({ from, to, start, end, text: instead }) => {
    const place = `${start}.${end}.${instead}`
    const isNew = from !== to && !places.has(place)
    places.add(place)
    return isNew
  })
}
