/** Sends generated requests to every endpoint, round by round, and checks that refused ones leave nothing behind. */
import assert from 'node:assert/strict'
import fc from 'fast-check'
import pino from 'pino'
import type { TestPortal } from '../portal.ts'
import { type Route, routes } from '../running.ts'
import { seed } from '../suite.ts'
import { openCallers } from './callers.ts'
import { knownRequestsOn } from './known-requests.ts'
import { openKnownValues } from './known-values.ts'
import { populate } from './populate.ts'
import { openRequests, type Request } from './requests.ts'
import { describeAll, isReading, isRefused, openSender, type Reply } from './send.ts'
import { openState } from './snapshot-state.ts'

/** How many requests are sent at once. */
const TOGETHER = 16
/** Each round sends one in this many of the known requests; ten rounds send all. */
const KNOWN_PART = 10
/** How many errors of a portal's log are remembered. */
const LOGGED = 20

/** Deletions come last in a round, so that the other requests find records. */
export const inOrder = routes.toSorted((one, other) => Number(one.method === 'DELETE') - Number(other.method === 'DELETE'))

/** A log that remembers the latest errors. */
export function errorLog() {
  const logged: string[] = []
  const log = pino({ level: 'error' }, { write: (line) => void (logged.push(line) > LOGGED && logged.shift()) })
  return { log, logged }
}

/** Calls whose success may sign out, deactivate, demote or delete a caller, or promote another administrator. */
const changesPeople = ({ path }: Route) => /^.(auth|users|groups|roles|admin)\b/.test(path)

export async function openFuzz(portal: TestPortal, logged: string[]) {
  const { body: document } = await portal.stranger().get('/openapi.json')
  const known = openKnownValues()
  const callers = openCallers(portal)
  await callers.fill()
  const sender = openSender(portal.base, document, callers.clients, known, logged)
  const requests = openRequests(document, known)
  const snapshot = await openState(portal.connection)
  let populated = 0
  /** Whether every caller is still signed in and has the rights of their kind. */
  let areCallersWhole = false
  /** The state of the database; null after a change. */
  let state: Record<string, string> | null = null

  async function fillCallers() {
    if (!areCallersWhole) await callers.fill()
    areCallersWhole = true
  }
  function forget(route: Route) {
    if (changesPeople(route)) areCallersWhole = false
    state = null
  }

  /**
   * Sends requests at once. If one of them changed something, the refused ones are sent again without it, until all are refused or
   * only read: then the state must be unchanged.
   */
  async function sendTogether(route: Route, some: Request[]): Promise<Reply[]> {
    await fillCallers()
    state ??= await snapshot.settle()
    const replies = await sender.send(route, some)
    const refused = replies.filter(isRefused).map(({ request }) => request)
    if (isReading(route) || refused.length === some.length) {
      assert.deepEqual(await snapshot.look(), state, `one of these left something behind:\n${describeAll(route, some)}`)
      return replies
    }
    forget(route)
    return refused.length ? [...replies, ...(await sendTogether(route, refused))] : replies
  }

  /** Sends requests of a caller whose session or account ends while they run. */
  async function sendLeaving(route: Route, some: Request[]) {
    const half = Math.ceil(some.length / 2)
    const early = sender.sendLeaving(route, some.slice(0, half))
    const leaving = callers.leave()
    const late = sender.sendLeaving(route, some.slice(half))
    const replies = [...(await early), ...(await late)]
    await leaving
    await callers.replaceLeaver()
    forget(route)
    return replies
  }

  return {
    callers,
    sender,
    /** Sends `count` generated requests to an endpoint, and some that are known to break servers. Returns the replies. */
    async attack(route: Route, round: number, count: number) {
      if (populated <= round) {
        populated = round + 1
        await callers.fill()
        await populate(portal, callers.clients, known)
        areCallersWhole = false
        state = null
      }
      const index = inOrder.indexOf(route)
      const some = [
        ...knownRequestsOn(route, requests.fieldsOf(route)).filter((_, nth) => (nth + index + seed + round) % KNOWN_PART === 0),
        ...fc.sample(requests.requestsOn(route), { numRuns: count, seed: seed + round * inOrder.length + index }),
      ]
      const leaving = some.filter(({ as }) => as === 'leaver')
      const staying = some.filter(({ as }) => as !== 'leaver')
      const replies = leaving.length ? await sendLeaving(route, leaving) : []
      for (let sent = 0; sent < staying.length; sent += TOGETHER)
        replies.push(...(await sendTogether(route, staying.slice(sent, sent + TOGETHER))))
      return replies
    },
    async close() {
      await snapshot.close()
      await sender.close()
    },
  }
}
