/**
 * Checks the last commits. A subject is `area: verb object`, at most 72 characters, with no full stop. A commit adds at most 2,000 lines
 * outside generated files, so that somebody can review it; moved lines do not count.
 */
import { spawnSync } from 'node:child_process'

const COMMITS = 20
const MOST_CHARACTERS = 72
const MOST_LINES = 2000
const SUBJECT = /^[a-z0-9-]+(?: [a-z0-9-]+)*: \S.*[^.]$/
const GENERATED = /^(?:openapi\.json|package-lock\.json|docs\/sql\/.*|server\/(?:.*\/)?tables\.ts|test\/[a-z]+\.txt)$/

const { status, stdout } = spawnSync(
  'git',
  ['log', `-${COMMITS}`, '--no-merges', '--find-renames', '-l0', '--numstat', '-z', '--format=%x01%h %s'],
  { cwd: import.meta.dirname, encoding: 'utf8', maxBuffer: 1 << 26 },
)
// A release contains no Git history, so `git log` fails there.
const commits = status === 0 ? stdout.split('\x01').slice(1).map(commitOf) : []

/** Parses a commit of `git log --numstat -z`. A renamed file has an empty path, and its old and new paths follow. */
function commitOf(text: string) {
  const [head = '', ...fields] = text.split('\0')
  let lines = 0
  while (fields.length > 0) {
    const [added, , path] = fields.shift()!.trim().split('\t')
    if (path === undefined) continue
    const file = path || fields.splice(0, 2)[1]!
    if (!GENERATED.test(file)) lines += Number(added) || 0
  }
  return { head, subject: head.slice(head.indexOf(' ') + 1), lines }
}

const wrong = commits.filter(({ subject }) => subject.length > MOST_CHARACTERS || !SUBJECT.test(subject))
const large = commits.filter(({ lines }) => lines > MOST_LINES)
if (wrong.length > 0)
  console.error(
    `A subject is “area: verb object”, at most ${MOST_CHARACTERS} characters, with no full stop:\n${wrong.map(({ head }) => head).join('\n')}`,
  )
if (large.length > 0)
  console.error(
    `A commit adds at most ${MOST_LINES} lines outside generated files:\n${large.map(({ head, lines }) => `${head}: ${lines}`).join('\n')}`,
  )
if (wrong.length + large.length > 0) process.exitCode = 1
