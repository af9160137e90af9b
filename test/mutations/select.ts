/** Chooses the tests to run against a mutant, and their order. */
import { readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Coverage, Executed } from './coverage.ts'
import type { SqlMutant } from './definitions.ts'
import type { Mutant } from './edit.ts'
import { root } from './sandbox.ts'

type Record_ = Record<string, Coverage>

const executes = ({ spans }: Executed, { start, end }: Mutant) => spans.some(([from, to]) => start < to && end > from)

/** How much of a source a test executes. What few tests execute counts for more. */
function affinities(coverage: Record_, file: string) {
  const callers = new Map<number, number>()
  for (const { sources } of Object.values(coverage))
    for (const start of sources[file]?.functions ?? []) callers.set(start, (callers.get(start) ?? 0) + 1)
  return (test: string) => (coverage[test]!.sources[file]?.functions ?? []).reduce((sum, start) => sum + 1 / callers.get(start)!, 0)
}

const texts = new Map<string, string>()
const textOf = (test: string) => {
  if (!texts.has(test)) texts.set(test, readFileSync(join(root, test), 'utf8'))
  return texts.get(test)!
}

/** How many of a mutant's names a test contains. What few tests contain counts for more. */
function kinship(tests: string[], words: string[]) {
  const spoken = words.map((word) => new RegExp(`\\b${word}\\b`, 'i')).map((word) => tests.filter((test) => word.test(textOf(test))))
  return (test: string) => spoken.reduce((sum, speakers) => sum + (speakers.includes(test) ? 1 / speakers.length : 0), 0)
}

/** The first of each list, then the second of each, and so on. */
function interleave(...lists: string[][]) {
  const longest = Math.max(...lists.map(({ length }) => length))
  return [...new Set(Array.from({ length: longest }, (_, place) => lists.flatMap((list) => list[place] ?? [])).flat())]
}

/** All tests that execute the mutant: in turns its own folder's, those with names of it, and all by what they may find in their time. */
function testsOfSource(coverage: Record_, mutant: Mutant) {
  const affinity = affinities(coverage, mutant.file)
  const name = basename(mutant.file)
  // Every feature has its rules, whose tests are beside them.
  const isNamesake = (test: string) => name !== 'rules.ts' && basename(test) === name.replace('.ts', '.test.ts')
  const isOwn = (test: string) => isNamesake(test) || dirname(test) === dirname(mutant.file) || textOf(test).includes(`/${name}'`)
  const worth = (test: string) => affinity(test) / coverage[test]!.ms
  const tests = Object.keys(coverage)
    .filter((test) => coverage[test]!.sources[mutant.file] && executes(coverage[test]!.sources[mutant.file]!, mutant))
    .toSorted((one, other) => Number(isNamesake(other)) - Number(isNamesake(one)) || worth(other) - worth(one))
  const kin = kinship(tests, [...new Set(mutant.from.match(/[A-Za-z][\w-]{3,}/g))])
  // Half as akin and four times as quick is as good.
  const promise = (test: string) => kin(test) / Math.sqrt(coverage[test]!.ms)
  const akin = tests.filter((test) => kin(test) > 0).toSorted((one, other) => promise(other) - promise(one))
  return interleave(tests.filter(isOwn), akin, tests)
}

function testsOfDefinition(coverage: Record_, { definition: { type, name, table, text }, words }: SqlMutant) {
  // PostgreSQL counts neither calls of a function that it inlined nor calls that failed.
  const isCounted = Object.values(coverage).some(({ called }) => called[name])
  const isPart = (part: string) => part === table || (part.startsWith(`${table}_`) && /_(\d{4}_\d{2}|default)$/.test(part))
  function reaches({ called, written }: Coverage) {
    if (type === 'trigger')
      return /TRUNCATE/.test(text) || Object.entries(written).some(([part, counts]) => isPart(part) && counts.some(Boolean))
    return type === 'view' || !isCounted || Boolean(called[name])
  }
  const tests = Object.keys(coverage).filter((test) => reaches(coverage[test]!))
  const kin = kinship(tests, words)
  return tests.toSorted((one, other) => kin(other) - kin(one) || coverage[one]!.ms - coverage[other]!.ms)
}

/** Tests that have killed mutants of the same file come first. */
export function selectTests(coverage: Record_, mutant: Mutant | SqlMutant, killers: Map<string, number>, most: number) {
  const passing = Object.fromEntries(Object.entries(coverage).filter(([, { passed }]) => passed))
  const all = 'definition' in mutant ? testsOfDefinition(passing, mutant) : testsOfSource(passing, mutant)
  return all.toSorted((one, other) => (killers.get(other) ?? 0) - (killers.get(one) ?? 0)).slice(0, most)
}
