/** Sends generated requests to the portal, and holds every answer against the document and the clock. */
import assert from 'node:assert/strict'
import { Agent } from 'undici'
import type { Attack } from './attacks.ts'
import type { Who } from './cast.ts'
import type { Client } from './client.ts'
import { wrongAnswersIn } from './document-schemas.ts'
import type { Learned } from './learned.ts'
import { type Document, documented, type Route } from './running.ts'

/** The longest that an answer may take to a call that is alone. */
const MOST_MS = 2000
/** A machine that is busy with something else is not slow three times. */
const TRIES = 3

interface Heard {
  attack: Attack
  status: number
  headers: Headers
  text: string
  ms: number
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: what no stored text may hold
const UNWANTED = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/
function checkStored(_name: string, value: unknown) {
  if (typeof value === 'string')
    assert.ok(
      value.isWellFormed() && !UNWANTED.test(value) && value === value.normalize(),
      `answers ${JSON.stringify(value.slice(0, 100))}`,
    )
  return value
}

const shownOf = (route: Route, { as, path, headers = {}, type, body }: Attack) =>
  `${as}: ${route.method} ${path.slice(0, 300)} ${JSON.stringify(headers).slice(0, 300)} ${type ?? ''}\n${String(body ?? '').slice(0, 500)}`
export const allShown = (route: Route, attacks: Attack[]) => attacks.map((attack) => shownOf(route, attack)).join('\n')

export const isRefused = ({ status }: { status: number }) => status >= 400
export const isReading = ({ endpoint }: Route) => ['query', 'download', 'file', 'stream'].includes(endpoint.does)

export function openStrikes(base: string, document: Document, cast: Record<Who, Client>, learned: Learned, logged: string[]) {
  const dispatcher = new Agent({ headersTimeout: 240_000, bodyTimeout: 240_000 })
  const wrongWith = wrongAnswersIn(document)
  const byStatus = new Map<number, number>()
  const succeeded = new Set<string>()
  const slowest = { ms: 0, at: '' }
  let sent = 0

  async function send({ method, endpoint }: Route, attack: Attack): Promise<Heard> {
    const { as, path, body, type, headers: own } = attack
    const start = performance.now()
    // By its path alone: an address would be made shorter by `.` and `..` before it is sent.
    const answer = await dispatcher.request({
      origin: base,
      path: `/api${path}`,
      method: method as 'GET',
      headers: { ...own, ...(type !== undefined && { 'content-type': type }), ...(cast[as].cookie && { cookie: cast[as].cookie }) },
      body,
    })
    sent++
    const headers = new Headers()
    for (const [name, values = []] of Object.entries(answer.headers)) for (const value of [values].flat()) headers.append(name, value)
    const heard = (text: string) => ({ attack, status: answer.statusCode, headers, text, ms: performance.now() - start })
    if (endpoint.does === 'stream' && answer.statusCode === 200) {
      answer.body.on('error', () => {}).destroy()
      return heard('')
    }
    return heard(await answer.body.text())
  }

  function check(route: Route, { status, headers, text }: Heard) {
    assert.match(String(headers.get('x-request-id')), /^[0-9a-f-]{36}$/)
    assert.ok((status !== 204 && status !== 304) || text === '', 'an empty answer has a body')
    const isJson = headers.get('content-type')?.startsWith('application/json') && text !== ''
    const body = isJson ? JSON.parse(text, status < 400 ? checkStored : undefined) : null
    assert.deepEqual(wrongWith(route.method, documented(route), { status, headers, body }), [], 'the answer is not as documented')
    if (status >= 400) assert.ok(isJson && text.length < 20_000 && body.messageAr && body.messageEn, 'is no refusal')
    assert.ok(status < 500 || (status === 503 && body.code !== 'unavailable'), 'broke')
    if (status < 400) learned.learn(route, text, body, headers.get('etag'))
  }

  /** Sends a request and checks its answer. */
  async function strike(route: Route, attack: Attack) {
    const heard = await send(route, attack)
    try {
      check(route, heard)
    } catch (error) {
      const { status, headers, text } = heard
      const causes = logged.filter((line) => line.includes(headers.get('x-request-id') ?? ''))
      throw new Error([(error as Error).message, shownOf(route, attack), `${status} ${text.slice(0, 500)}`, ...causes].join('\n'))
    }
    byStatus.set(heard.status, (byStatus.get(heard.status) ?? 0) + 1)
    if (!isRefused(heard)) succeeded.add(route.at)
    return heard
  }

  /** Repeats what was answered late among many calls, alone: then it is in time. */
  async function strikeAlone(route: Route, attack: Attack) {
    let ms = Number.POSITIVE_INFINITY
    for (let tried = 0; ms > MOST_MS && tried < TRIES; tried++) ms = Math.min(ms, (await strike(route, attack)).ms)
    if (ms > slowest.ms) Object.assign(slowest, { ms: Math.round(ms), at: route.at })
    assert.ok(ms <= MOST_MS, `is answered after ${Math.round(ms)} ms\n${shownOf(route, attack)}`)
  }

  return {
    /** Sends requests at once. */
    async strike(route: Route, attacks: Attack[]) {
      const heard = await Promise.all(attacks.map((attack) => strike(route, attack)))
      for (const { ms } of heard) if (ms > slowest.ms && ms <= MOST_MS) Object.assign(slowest, { ms: Math.round(ms), at: route.at })
      return heard
    },
    /** Repeats what was answered too late, one by one; returns how many there were. */
    async repeatSlow(route: Route, heard: Heard[]) {
      const late = heard.filter(({ ms }) => ms > MOST_MS)
      for (const { attack } of late) await strikeAlone(route, attack)
      return late.length
    },
    close: () => dispatcher.close(),
    byStatus,
    succeeded,
    figures: () => ({ sent, byStatus: Object.fromEntries([...byStatus].sort()), slowest }),
  }
}
