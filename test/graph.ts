/** Who imports whom below `server/`, by folder and by file. Run as a program, it prints both graphs and fails where one has a circle. */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

const root = join(import.meta.dirname, '..')

/** One file's import of another, as paths below the root; `isType` says that nothing of it is left at run time. */
export interface Import {
  from: string
  to: string
  isType: boolean
}
/** What each node imports. */
export type Graph = Map<string, Set<string>>

/** A statement that imports, as the formatter leaves it: from the start of a line to the quoted name, or a call in the middle of one. */
const STATEMENTS = /^(import|export)( type)?\b[^'"`;]*?'([^']+)'$|\b(import)\('([^']+)'\)/gm

/** What a file's text imports: paths below the root for files, bare names for packages. */
export function importsIn(file: string, text: string): Import[] {
  return Array.from(text.matchAll(STATEMENTS), ([, , type, named, , called]) => {
    const name = (named ?? called)!
    // `import { type A }` is carried out all the same.
    return { from: file, to: name.startsWith('.') ? normalize(join(dirname(file), name)) : name, isType: type !== undefined }
  })
}

/** The imports of everything that runs: all of `server/` but its tests. */
export const imports = globSync('server/**/*.ts', { cwd: root })
  .filter((file) => !file.endsWith('.test.ts'))
  .toSorted()
  .flatMap((file) => importsIn(file, readFileSync(join(root, file), 'utf8')))
  .filter(({ to }) => to.startsWith('server/'))

/** A feature, or a room of the platform; what lies beside those, as the lists do, stands for itself. */
export function folderOf(file: string) {
  const folder = dirname(file)
  return folder === 'server' || folder === 'server/platform' ? file : folder
}

/** The graph of some imports, its nodes named by `nameOf` their files. */
export function graphOf(some: readonly Import[], nameOf = (file: string) => file): Graph {
  const graph: Graph = new Map()
  for (const { from, to } of some) {
    const [one, other] = [nameOf(from), nameOf(to)]
    for (const name of [one, other]) if (!graph.has(name)) graph.set(name, new Set())
    if (one !== other) graph.get(one)!.add(other)
  }
  return graph
}

/** The nodes that remain when those that import nothing that remains have gone, until none goes: each of them leads to a circle. */
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

/** One circle for each way into one, as a path that ends where it began; none where there is none. */
export function circlesIn(graph: Graph) {
  const left = leadingToCircles(graph)
  const circles = new Map<string, string>()
  for (const start of left.keys()) {
    const path: string[] = []
    for (let at = start; ; at = left.get(at)!.values().next().value!) {
      const seen = path.indexOf(at)
      if (seen !== -1) {
        const circle = path.slice(seen)
        circles.set(circle.toSorted().join(), [...circle, at].join(' → '))
        break
      }
      path.push(at)
    }
  }
  return [...circles.values()]
}

const atRunTime = imports.filter(({ isType }) => !isType)
/** Each graph by what it shows. Those with types have the imports of run time, too. */
export const graphs: Record<string, Graph> = {
  'folders, at run time': graphOf(atRunTime, folderOf),
  'folders, with types': graphOf(imports, folderOf),
  'files, at run time': graphOf(atRunTime),
  'files, with types': graphOf(imports),
}

function print(title: string, graph: Graph) {
  console.log(`\n${title}`)
  for (const [name, imported] of graph) if (imported.size) console.log(`  ${name} → ${[...imported].toSorted().join(', ')}`)
  const circles = circlesIn(graph)
  for (const circle of circles) console.log(`  CIRCLE ${circle}`)
  return circles.length
}

if (import.meta.main) {
  const circles = Object.entries(graphs).map(([title, graph]) => print(title, graph))
  const sum = circles.reduce((one, other) => one + other, 0)
  console.log(`\n${sum} circles`)
  process.exitCode = sum ? 1 : 0
}
