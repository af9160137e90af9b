/** Values from answers: ids, tags, and URLs with a secret, which later requests use. */
import type { Route } from '../running.ts'

/** How many of the latest values of each kind are remembered. */
const MOST = 12

export const singular = (collection: string) =>
  collection
    .replace(/ies$/, 'y')
    .replace(/s$/, '')
    .replace(/^.*-(?=\w+$)/, '')
/** The last literal segment of a path: `notes/folders/:id` is about folders. */
export const collectionOf = (path: string) => path.match(/([\w-]+)(?:\/:\w+)*$/)?.[1] ?? ''

function keep<T>(some: T[], one: T) {
  if (some.includes(one)) return
  some.push(one)
  if (some.length > MOST) some.shift()
}

export function openKnownValues() {
  const ids = new Map<string, number[]>()
  const texts: string[] = []
  const made: string[] = []
  const tags: string[] = []

  function addId(collection: string, id: unknown) {
    if (typeof id !== 'number') return
    const kind = singular(collection)
    const known = ids.get(kind) ?? []
    ids.set(kind, known)
    keep(known, id)
  }

  return {
    /** Ids of the kind that a field is named for, such as `recipientUserIds`; of any kind if that is unknown. */
    idsFor(name: string): number[] {
      const word = name.toLowerCase()
      const own = [...ids.keys()].filter((kind) => kind.length > 2 && word.includes(kind))
      return (own.length ? own : [...ids.keys()]).flatMap((kind) => ids.get(kind)!)
    },
    texts: (): readonly string[] => [...made, ...texts],
    tags: (): readonly string[] => tags,
    addId,
    /** Adds a text that is never displaced by texts learned from answers. */
    addText: (text: string) => keep(made, text),
    learn({ path }: Route, text: string, body: unknown, tag: string | null) {
      if (tag) keep(tags, tag)
      for (const one of Array.isArray(body) ? body.slice(0, MOST) : [body])
        for (const [name, value] of Object.entries((one ?? {}) as object))
          if (/(^i|I)d$/.test(name)) addId(name === 'id' ? collectionOf(path) : name.slice(0, -2).toLowerCase(), value)
      if (text.length > 5000) return
      for (const [found] of text.matchAll(/(?<=token=)[\w-]{43}|\/objects\/[\w/-]+|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g))
        keep(texts, found)
    },
  }
}
export type KnownValues = ReturnType<typeof openKnownValues>
