/** The import graphs of `server/`, `demo/` and `web/`, by file; the first two also by folder. As a program, it prints them and fails if one has a cycle. */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

const root = join(import.meta.dirname, '..')

/** An import of one file by another, as paths below the root. `isType`: it is erased before run time. */
export interface Import {
  from: string
  to: string
  isType: boolean
}
/** The nodes that each node imports. */
export type Graph = Map<string, Set<string>>

/** An import statement as the formatter writes it, from the start of a line to the quoted name; or a call of `import`. */
const STATEMENTS = /^(import|export)( type)?\b[^'"`;]*?'([^']+)'$|\b(import)\('([^']+)'\)/gm

/** The imports in a file's text: files as paths below the root, packages by their names. */
export function importsIn(file: string, text: string): Import[] {
  return Array.from(text.matchAll(STATEMENTS), ([, , type, named, , called]) => {
    const name = (named ?? called)!
    // `import { type A }` still imports the module at run time.
    return { from: file, to: name.startsWith('.') ? normalize(join(dirname(file), name)) : name, isType: type !== undefined }
  })
}

/** A call of Vite's `import.meta.glob`, with its pattern or list of patterns. */
const GLOBS = /import\.meta\.glob(?:<[^(]*>)?\(\s*(\[[^\]]*\]|'[^']+')/g

/** The files that a file of the pages loads by patterns of names, at once or on demand. */
function globbedBy(file: string, text: string): Import[] {
  return Array.from(text.matchAll(GLOBS), ([, list]) => Array.from(list!.matchAll(/'([^']+)'/g), ([, pattern]) => pattern!)).flatMap(
    (patterns) => {
      const find = (pattern: string) => globSync(join(dirname(file), pattern), { cwd: root })
      const not = new Set(patterns.flatMap((pattern) => (pattern.startsWith('!') ? find(pattern.slice(1)) : [])))
      const found = patterns.flatMap((pattern) => (pattern.startsWith('!') ? [] : find(pattern)))
      return found.filter((to) => !not.has(to)).map((to) => ({ from: file, to, isType: false }))
    },
  )
}

/** The imports of the files of `web/`, lazy ones included, without tests and the build. */
const importsOfPages = globSync('web/**/*.{ts,tsx}', { cwd: root, exclude: (name) => ['dist', 'build', 'fonts', 'testing'].includes(name) })
  .filter((file) => !file.endsWith('.spec.ts'))
  .toSorted()
  .flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8')
    return [...importsIn(file, text), ...globbedBy(file, text)]
  })
  .filter(({ to }) => to.startsWith('web/'))

/** The imports of all files of `server/` and `demo/` except tests. */
export const imports = globSync('{server,demo}/**/*.ts', { cwd: root })
  .filter((file) => !file.endsWith('.test.ts'))
  .toSorted()
  .flatMap((file) => importsIn(file, readFileSync(join(root, file), 'utf8')))
  .filter(({ to }) => /^(server|demo)\//.test(to))

/** The node of a file: its folder; but a file directly in `server/` or `server/platform/` is a node by itself. */
export function folderOf(file: string) {
  const folder = dirname(file)
  return folder === 'server' || folder === 'server/platform' ? file : folder
}

/** The graph of some imports. `nameOf` maps files to nodes. */
export function graphOf(some: readonly Import[], nameOf = (file: string) => file): Graph {
  const graph: Graph = new Map()
  for (const { from, to } of some) {
    const [one, other] = [nameOf(from), nameOf(to)]
    for (const name of [one, other]) if (!graph.has(name)) graph.set(name, new Set())
    if (one !== other) graph.get(one)!.add(other)
  }
  return graph
}

/** The nodes that lead to a cycle: those left after repeatedly removing nodes that import none of the rest. */
function leadingToCircles(graph: Graph) {
  const left = new Map(Array.from(graph, ([name, imported]) => [name, new Set(imported)]))
  for (let size = -1; size !== left.size; ) {
    size = left.size
    for (const [name, imported] of left) {
      for (const one of imported) if (!left.has(one)) imported.delete(one)
      if (imported.size === 0) left.delete(name)
    }
  }
  return left
}

/** The cycles found, as paths that end where they began; empty if there are none. */
export function cyclesIn(graph: Graph) {
  const left = leadingToCircles(graph)
  const cycles = new Map<string, string>()
  for (const start of left.keys()) {
    const path: string[] = []
    for (let at = start; ; at = left.get(at)!.values().next().value!) {
      const seen = path.indexOf(at)
      if (seen !== -1) {
        const cycle = path.slice(seen)
        cycles.set(cycle.toSorted().join(), [...cycle, at].join(' → '))
        break
      }
      path.push(at)
    }
  }
  return [...cycles.values()]
}

const atRunTime = imports.filter(({ isType }) => !isType)
/** Each graph by its title. Graphs with types also contain the imports at run time. */
export const graphs: Record<string, Graph> = {
  'folders, at run time': graphOf(atRunTime, folderOf),
  'folders, with types': graphOf(imports, folderOf),
  'files, at run time': graphOf(atRunTime),
  'files, with types': graphOf(imports),
  'files of the pages, with what is loaded later': graphOf(importsOfPages.filter(({ isType }) => !isType)),
  'files of the pages, with types': graphOf(importsOfPages),
}

function print(title: string, graph: Graph) {
  console.log(`\n${title}`)
  for (const [name, imported] of graph) if (imported.size) console.log(`  ${name} → ${[...imported].toSorted().join(', ')}`)
  const cycles = cyclesIn(graph)
  for (const cycle of cycles) console.log(`  CIRCLE ${cycle}`)
  return cycles.length
}

if (import.meta.main) {
  const cycles = Object.entries(graphs).map(([title, graph]) => print(title, graph))
  const sum = cycles.reduce((one, other) => one + other, 0)
  console.log(`\n${sum} cycles`)
  process.exitCode = sum ? 1 : 0
}
