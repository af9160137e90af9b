/** A client of the portal over HTTP, and waiting for conditions. */
import type { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { recordRefusal } from './provoked.ts'

export const PASSWORD = 'battery staple'

export interface Answer {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests assert on what comes
  body: any
  text: string
  headers: Headers
}
interface SentEvent {
  id: string
  event: string
  // biome-ignore lint/suspicious/noExplicitAny: tests assert on what comes
  data: any
}

/** Long enough for a busy machine; it only ends a wait that would last forever. */
const PATIENCE_MS = 240_000

/** Waits until `look` returns something truthy, and returns it; fails with `what` after minutes. */
export async function until<T>(what: string, look: () => T | Promise<T>): Promise<NonNullable<T>> {
  const end = Date.now() + PATIENCE_MS
  for (;;) {
    const seen = await look()
    if (seen) return seen
    if (Date.now() > end) throw new Error(`never happened: ${what}`)
    await pause(10)
  }
}

/** Resolves once a connection is closed or reset; which of the two depends on whether the last bytes were read. */
export const untilClosed = (socket: Socket) =>
  new Promise<void>((resolve) => {
    socket.on('error', () => {}).once('close', () => resolve())
    if (socket.closed) resolve()
  })

const isCleared = (cookie: string) => cookie.includes('Max-Age=0') || /Expires=Thu, 01 Jan 1970/.test(cookie)
const cookieHeader = (pairs: string[]): Record<string, string> => {
  const cookie = pairs.filter(Boolean).join('; ')
  return cookie ? { cookie } : {}
}

/** A client that keeps its cookies, as a browser does. */
export class Client {
  readonly base: string
  cookie = ''
  device = ''
  /** The portal's further cookies, by their names. */
  kept = new Map<string, string>()
  id = 0
  username = ''
  constructor(base: string) {
    this.base = base
  }

  async send(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    const response = await fetch(`${this.base}/api${path}`, {
      method,
      redirect: 'manual',
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...cookieHeader([this.cookie, this.device, ...Array.from(this.kept, ([name, value]) => `${name}=${value}`)]),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' || body instanceof Uint8Array ? (body as string) : JSON.stringify(body) }),
    })
    const cookies = response.headers.getSetCookie()
    this.device = cookies.find((cookie) => cookie.includes('portal_device='))?.split(';')[0] ?? this.device
    const set = cookies.find((cookie) => cookie.includes('portal_session='))
    if (set) this.cookie = isCleared(set) ? '' : set.split(';')[0]!
    for (const cookie of cookies.filter((one) => one !== set && !one.includes('portal_device='))) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie)!
      if (isCleared(cookie)) this.kept.delete(name!)
      else this.kept.set(name!, value!)
    }
    const text = await response.text()
    let parsed: unknown
    try {
      parsed = text === '' ? undefined : JSON.parse(text)
    } catch {
      parsed = undefined
    }
    recordRefusal(method, path, (parsed as { code?: unknown } | null | undefined)?.code)
    return { status: response.status, body: parsed, text, headers: response.headers }
  }
  get = (path: string, headers?: Record<string, string>) => this.send('GET', path, undefined, headers)
  post = (path: string, body?: unknown) => this.send('POST', path, body)
  put = (path: string, body?: unknown) => this.send('PUT', path, body)
  patch = (path: string, body?: unknown) => this.send('PATCH', path, body)
  delete = (path: string) => this.send('DELETE', path)

  async signIn(username: string, password = PASSWORD) {
    const answer = await this.post('/auth/login', { username, password })
    if (answer.status !== 200) throw new Error(`${username} cannot sign in: ${answer.text}`)
    this.id = answer.body.id
    this.username = answer.body.username
    return this
  }

  /** Opens the event stream. `events` grows as events arrive. */
  async listen(lastEventId?: string, path = '/events') {
    const stop = new AbortController()
    const response = await fetch(`${this.base}/api${path}`, {
      signal: stop.signal,
      headers: { cookie: this.cookie, ...(lastEventId !== undefined && { 'last-event-id': lastEventId }) },
    })
    const stream = { status: response.status, events: [] as SentEvent[], lastId: '', isOpen: true, close: () => stop.abort(), seen, next }
    function seen(event: string) {
      return stream.events.filter((one) => one.event === event)
    }
    /** The first matching event of this name, once it has arrived. */
    function next(event: string, fits: (data: SentEvent['data']) => boolean = () => true) {
      return until(`event ${event}`, () => stream.events.find((one) => one.event === event && fits(one.data)))
    }
    void (async () => {
      let text = ''
      try {
        for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
          text += chunk
          const blocks = text.split('\n\n')
          text = blocks.pop()!
          for (const block of blocks) {
            const fields = Object.fromEntries(
              block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]),
            )
            if (fields['id']) stream.lastId = fields['id']
            if (fields['data'])
              stream.events.push({ id: fields['id'] ?? '', event: fields['event'] ?? 'message', data: JSON.parse(fields['data']) })
          }
        }
      } catch {
        // The test or the server has closed the stream.
      }
      stream.isOpen = false
    })()
    if (response.status === 200) await until('the stream is ready', () => stream.lastId || stream.events.length || !stream.isOpen)
    return stream
  }
}
