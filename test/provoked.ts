/** Records the refusals that occur during a run, and finds the declared refusals among them. */
import { appendFileSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { routes } from './running.ts'

const FOLDER = 'TEST_PROVOKED'
const recorded = new Set<string>()

/** Records the code of an answer. Each process writes its records when it exits. */
export function recordRefusal(method: string, path: string, code: unknown) {
  if (typeof code !== 'string') return
  if (recorded.size === 0) process.once('exit', writeDown)
  recorded.add(`${code} ${method} ${path.split('?')[0]}`)
}

function writeDown() {
  const folder = process.env[FOLDER]
  if (folder) appendFileSync(join(folder, String(process.pid)), `${[...recorded].join('\n')}\n`)
}

export const provokedFolder = (folder: string) => {
  process.env[FOLDER] = folder
}

/** The refusals recorded in a folder, named as in `refusals`. */
export const provokedIn = (folder: string) =>
  new Set(readdirSync(folder).flatMap((file) => readFileSync(join(folder, file), 'utf8').trim().split('\n').flatMap(readLine)))

/** Every declared refusal, such as `POST /notes: quota_exceeded`. */
export const refusals = routes.flatMap(({ at, endpoint: { refuses = [] } }) =>
  refuses.map((refusal) => `${at}: ${typeof refusal === 'string' ? refusal : refusal.code}`),
)

const patterns = routes.map(({ at, method, path }) => ({ at, method, pattern: new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}/?$`) }))

/** The refusals that a recorded line may stand for. `/users/me` also matches `/users/:id`, so the refusal counts for both endpoints. */
function readLine(line: string) {
  const [code, method, path] = line.split(' ') as [string, string, string]
  return patterns.filter((one) => one.method === method && one.pattern.test(path)).map(({ at }) => `${at}: ${code}`)
}
