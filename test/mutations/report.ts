/** The results of a run as tables and lists. */
import type { Mutant } from './edit.ts'

export type Verdict = 'killed' | 'late' | 'survived' | 'uncovered'
export interface Result extends Pick<Mutant, 'file' | 'line' | 'from' | 'to'> {
  verdict: Verdict
  /** The test file that killed it. */
  by?: string
  ms: number
}
export interface Survivor {
  file: string
  /** A line before and after the mutation, as reported. */
  from: string
  to: string
  /** Why no test needs to notice: it is equivalent, or redundant by design. */
  because: string
}

const isKilled = ({ verdict }: Result) => verdict === 'killed' || verdict === 'late'
export const isArgued = (survivors: Survivor[], { file, from, to }: Result) =>
  survivors.some((one) => one.file === file && one.from === from && one.to === to)

function counts(results: Result[], survivors: Survivor[]) {
  const killed = results.filter(isKilled).length
  const uncovered = results.filter(({ verdict }) => verdict === 'uncovered').length
  const argued = results.filter((result) => !isKilled(result) && isArgued(survivors, result)).length
  const score = results.length === argued ? 100 : (100 * killed) / (results.length - argued)
  return [results.length, killed, results.length - killed - uncovered, uncovered, argued, `${score.toFixed(0)}%`].map(String)
}

/** The results by file. Survivors with a reason do not count against the score. */
export function table(results: Result[], survivors: Survivor[]) {
  const byFile = Map.groupBy(results, ({ file }) => file)
  const rows = [
    ['file', 'mutants', 'killed', 'survived', 'not covered', 'argued', 'score'],
    ...[...byFile].toSorted(([one], [other]) => one.localeCompare(other)).map(([file, own]) => [file, ...counts(own, survivors)]),
    ['all', ...counts(results, survivors)],
  ]
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)))
  const line = (row: string[]) =>
    row.map((cell, column) => (column ? cell.padStart(widths[column]!) : cell.padEnd(widths[column]!))).join('  ')
  return rows.map(line).join('\n')
}

const change = ({ file, line, from, to }: Pick<Result, 'file' | 'from' | 'to'> & { line?: number }) =>
  `${file}${line === undefined ? '' : `:${line}`}\n    - ${from}\n    + ${to}`

/** What makes a run fail: survivors without a reason, and reasons for mutants that were killed or do not exist. */
export function complaints(results: Result[], survivors: Survivor[], exists: (survivor: Survivor) => boolean) {
  const living = results.filter((result) => !isKilled(result) && !isArgued(survivors, result))
  const killed = results.filter((result) => isKilled(result) && isArgued(survivors, result))
  const gone = survivors.filter((survivor) => !exists(survivor))
  return [
    ...living.map((result) => `${result.verdict} ${change(result)}`),
    ...killed.map((result) => `argued for, and killed by ${result.by} ${change(result)}`),
    ...gone.map((survivor) => `argued for, and no mutant ${change(survivor)}`),
  ]
}
