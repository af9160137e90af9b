/**
 * Migrations that are released never change: `migrations.sha256` has the hash of each, in the form of `sha256sum`. Lines are only ever
 * added, by `npm run tables`; those of the newest tag must all be there.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { appendFileSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const FOLDER = join(import.meta.dirname, '../server/migrations')
const LIST = join(import.meta.dirname, 'migrations.sha256')

const readLines = (text: string) => text.split('\n').filter(Boolean)
const lineOf = (name: string) =>
  `${createHash('sha256')
    .update(readFileSync(join(FOLDER, name)))
    .digest('hex')}  ${name}`
const nameIn = (line: string) => line.slice(66)

/** What the newest tag has; nothing where there is no tag, or no repository. */
function readReleased() {
  const ask = (...args: string[]) => execFileSync('git', args, { cwd: FOLDER, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  try {
    return readLines(ask('show', `${ask('describe', '--tags', '--abbrev=0').trim()}:test/migrations.sha256`))
  } catch {
    return []
  }
}

/** What is wrong, in lines; those not listed yet are `fresh`. */
export function compareMigrations() {
  const listed = readLines(readFileSync(LIST, 'utf8'))
  const there = readdirSync(FOLDER).toSorted().map(lineOf)
  const names = new Set(listed.map(nameIn))
  return {
    fresh: there.filter((line) => !names.has(nameIn(line))),
    wrong: [
      ...listed.filter((line) => !there.includes(line)).map((line) => `${nameIn(line)} was changed or removed: add a migration instead`),
      ...readReleased()
        .filter((line) => !listed.includes(line))
        .map((line) => `${nameIn(line)} was released with another hash than test/migrations.sha256 has now`),
    ],
  }
}

export const listMigrations = (lines: readonly string[]) => appendFileSync(LIST, lines.map((line) => `${line}\n`).join(''))
