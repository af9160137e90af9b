/** The running version, and the latest one from the operator's feed. */
import { readFileSync } from 'node:fs'
import type { Static } from 'typebox'
import type { Outbound } from '../../platform/outbound.ts'
import { FROM_SOURCE, isNewer, readAnnouncement, type Version } from './rules.ts'
import type { SystemVersion } from './shapes.ts'

const ANSWER_WITHIN_MS = 3000
const MOST_BYTES = 4096
const FRESH_MS = 10 * 60_000
const FAILURE_FRESH_MS = 60_000

const beside = (name: string) => readFileSync(new URL(`../../../${name}`, import.meta.url), 'utf8')

/** The first line of the file `BUILD`; `FROM_SOURCE` if the build wrote none. */
function readBuild() {
  try {
    return beside('BUILD').split('\n')[0]!.trim().slice(0, 100) || FROM_SOURCE
  } catch {
    return FROM_SOURCE
  }
}

export const current: Version = { version: JSON.parse(beside('package.json')).version, build: readBuild() }

type Reading = { latest: Version; errorMessage: null } | { latest: null; errorMessage: string }
interface Remembered {
  reading: Promise<Reading & { checkedAt: Date }>
  /** When the cached result expires, by `performance.now()`; infinite during a request to the feed. */
  until: number
}
const readings = new WeakMap<Outbound, Remembered>()

const failed = (errorMessage: string): Reading => ({ latest: null, errorMessage })

/** The URL may contain a secret, so no message repeats any of it. */
async function askFeed(outbound: Outbound, url: string): Promise<Reading> {
  try {
    const { status, text } = await outbound.ask(new URL(url), {
      headers: { accept: 'application/json' },
      mostBytes: MOST_BYTES,
      withinMs: ANSWER_WITHIN_MS,
    })
    if (status !== 200) return failed(`The version feed answered with status ${status}.`)
    const latest = readAnnouncement(text)
    return latest ? { latest, errorMessage: null } : failed('The version feed did not answer with a version and a build.')
  } catch {
    return failed('The version feed could not be reached.')
  }
}

/** Requests the feed at most once in 10 minutes, or once in a minute after a failure; simultaneous callers share the request. */
function readFeed(outbound: Outbound, url: string) {
  const before = readings.get(outbound)
  if (before && performance.now() < before.until) return before.reading
  const asking: Remembered = { reading: ask(), until: Number.POSITIVE_INFINITY }
  async function ask() {
    const reading = await askFeed(outbound, url)
    asking.until = performance.now() + (reading.latest ? FRESH_MS : FAILURE_FRESH_MS)
    return { ...reading, checkedAt: new Date() }
  }
  readings.set(outbound, asking)
  return asking.reading
}

/** Compares the running version with the latest; it never performs an update. */
export async function checkVersion(outbound: Outbound, url: string | undefined): Promise<Static<typeof SystemVersion>> {
  if (url === undefined) return { current, latest: null, status: 'not-configured', errorMessage: null, checkedAt: null, configured: false }
  const { latest, errorMessage, checkedAt } = await readFeed(outbound, url)
  const status = latest ? (isNewer(latest, current) ? 'update-available' : 'up-to-date') : 'error'
  return { current, latest, status, errorMessage, checkedAt, configured: true }
}
