/** Finds the tests that may notice a mutant: those near its source that execute the changed code. */
import { existsSync, globSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { importsIn } from '../../test/graph.ts'
import { root, runTests } from './sandbox.ts'

/** How long a test may take without a mutant. */
const MOST_MS = 300_000

const read = (file: string) => readFileSync(join(root, file), 'utf8')
const files = globSync('{server,demo,test}/**/*.ts', { cwd: root })
const imports = files.flatMap((file) => importsIn(file, read(file)))
export const allTests = files.filter((file) => file.endsWith('.test.ts'))

/**
 * The ordinary tests near a source, nearest first: its own test, the tests that import it, those in its folder, and those whose names
 * contain its name or that are beside an importer in `server/`.
 */
export function testsNear(source: string, most: number): string[] {
  const importers = imports.filter(({ to }) => to === source).map(({ from }) => from)
  const besideImporters = new Set(importers.filter((file) => file.startsWith('server/')).map(dirname))
  const nearness: ((test: string) => boolean)[] = [
    (test) => test === source.replace(/\.ts$/, '.test.ts'),
    (test) => importers.includes(test),
    (test) => dirname(test) === dirname(source),
    (test) => basename(test).includes(basename(source, '.ts')) || besideImporters.has(dirname(test)),
  ]
  const distance = (test: string) => nearness.findIndex((isNear) => isNear(test))
  const size = (test: string) => statSync(join(root, test)).size
  return allTests
    .filter((test) => distance(test) >= 0 && !test.includes('.slow.'))
    .toSorted((one, other) => distance(one) - distance(other) || size(one) - size(other))
    .slice(0, most)
}

export interface Measured {
  test: string
  ms: number
  /** 1 for each character of the source that was executed. */
  executed: Uint8Array
}
type Functions = { ranges: { startOffset: number; endOffset: number; count: number }[] }[]

/** Runs a test without a mutant; undefined if it fails, because then it cannot judge a mutant. */
export async function measure(test: string, source: string): Promise<Measured | undefined> {
  const executed = new Uint8Array(read(source).length)
  const { href } = pathToFileURL(join(root, source))
  const readCoverage = (folder: string) => {
    for (const name of existsSync(folder) ? readdirSync(folder) : [])
      for (const { url, functions } of readScripts(join(folder, name))) if (url === href) mark(functions, executed)
  }
  const { verdict, ms } = await runTests(test, { timeout: MOST_MS, readCoverage })
  return verdict === 'passed' ? { test, ms, executed } : undefined
}

/** A killed process may have left half a file, which is ignored. */
function readScripts(path: string): { url: string; functions: Functions }[] {
  try {
    return JSON.parse(readFileSync(path, 'utf8')).result
  } catch {
    return []
  }
}

/** Marks the code that one process executed. A narrow range overrides the wider ones around it. */
function mark(functions: Functions, executed: Uint8Array) {
  const own = new Uint8Array(executed.length)
  const width = ({ startOffset, endOffset }: Functions[number]['ranges'][number]) => endOffset - startOffset
  const ranges = functions.flatMap(({ ranges }) => ranges).toSorted((one, other) => width(other) - width(one))
  for (const { startOffset, endOffset, count } of ranges) own.fill(count ? 1 : 0, startOffset, endOffset)
  for (const [at, isExecuted] of own.entries()) if (isExecuted) executed[at] = 1
}
