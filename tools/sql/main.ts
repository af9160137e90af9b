/**
 * `npm run sql` writes the statements that have a join or a common table expression to `docs/sql/`, as the samples in `samples/` send them.
 * With `--check`, it fails if a file differs. It always fails if no sample runs the code that adds a join. It needs no database.
 *
 * Statements sent through `pg` itself are left out: their sources contain them as they are sent.
 */
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { format } from 'sql-formatter'
import { coverage } from './coverage.ts'
import { JOINED, joiningPlaces } from './joins.ts'
import { type Sample, type Samples, statementsOf } from './recorder.ts'

const root = join(import.meta.dirname, '../..')
const isCheck = process.argv.includes('--check')
const problems: string[] = []

/** Each sample of a file, with its title. */
const titled = (samples: Samples) =>
  Object.entries(samples).flatMap(([name, one]): [string, Sample][] =>
    typeof one === 'function' ? [[name, one]] : Object.entries(one).map(([what, sample]) => [`${name}, ${what}`, sample]),
  )

/** The text of a feature's file: each statement once, below the titles of all samples that send it. */
async function write(file: string, samples: Samples) {
  const titles = new Map<string, Set<string>>()
  for (const [title, sample] of titled(samples)) {
    try {
      const joining = (await statementsOf(sample)).filter((statement) => JOINED.test(statement))
      if (joining.length === 0) problems.push(`${file}, ${title}: sends neither a join nor a common table expression`)
      for (const statement of joining) titles.set(statement, (titles.get(statement) ?? new Set()).add(title))
    } catch (error) {
      problems.push(`${file}, ${title}: ${(error as Error).stack}`)
    }
  }
  return Array.from(titles, ([statement, senders]) => {
    const head = Array.from(senders, (title) => `-- ${title}\n`).join('')
    return `${head}${format(statement, { language: 'postgresql', expressionWidth: 160 })};\n`
  }).join('\n')
}

const takeCoverage = await coverage()
const written = new Map<string, string>()
for (const file of globSync('samples/**/*.ts', { cwd: import.meta.dirname }).toSorted()) {
  const { default: samples } = await import(join(import.meta.dirname, file))
  written.set(file.replace(/^samples\/(.*)\.ts$/, 'docs/sql/$1.sql'), await write(`tools/sql/${file}`, samples))
}

const hasRun = await takeCoverage()
const files = globSync('server/**/*.ts', { cwd: root }).filter((file) => !file.endsWith('.test.ts'))
const sources = Object.fromEntries(files.toSorted().map((file) => [file, readFileSync(join(root, file), 'utf8')]))
for (const { file, offset } of joiningPlaces(sources)) {
  if (hasRun(pathToFileURL(join(root, file)).href, offset)) continue
  const line = sources[file]!.slice(0, offset).split('\n').length
  problems.push(`${file}:${line} adds a join or a common table expression that no sample in tools/sql/samples/ sends`)
}

const present = globSync('docs/sql/**/*.sql', { cwd: root })
for (const file of present.filter((name) => !written.has(name))) {
  if (isCheck) problems.push(`${file} has no samples: run npm run sql`)
  else rmSync(join(root, file))
}
for (const [file, text] of written) {
  const path = join(root, file)
  if (isCheck) {
    if (!present.includes(file) || readFileSync(path, 'utf8') !== text)
      problems.push(`${file} is out of date: run npm run sql, and review the difference`)
    continue
  }
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}
for (const problem of problems) console.error(problem)
process.exitCode = problems.length > 0 ? 1 : 0
