/** Checks the subjects of the last commits: `area: verb object`, at most 72 characters, with no full stop. */
import { spawnSync } from 'node:child_process'

const COMMITS = 20
const MOST_CHARACTERS = 72
const SUBJECT = /^[a-z0-9-]+(?: [a-z0-9-]+)*: \S.*[^.]$/

const { status, stdout } = spawnSync('git', ['log', `-${COMMITS}`, '--no-merges', '--format=%h %s'], {
  cwd: import.meta.dirname,
  encoding: 'utf8',
})
// A release has no history.
const commits = status === 0 ? stdout.trim().split('\n') : []
const wrong = commits.filter((line) => {
  const subject = line.slice(line.indexOf(' ') + 1)
  return subject.length > MOST_CHARACTERS || !SUBJECT.test(subject)
})
if (wrong.length > 0) {
  console.error(`A subject is “area: verb object”, at most ${MOST_CHARACTERS} characters, with no full stop:\n${wrong.join('\n')}`)
  process.exitCode = 1
}
