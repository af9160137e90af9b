/** Asking a provider, within limits: what is no whole answer in time counts as none. */
import { type Outbound, OutboundError } from '../outbound.ts'
import { fail } from './failures.ts'

const MOST_BYTES = 1024 * 1024

export interface Asked {
  method?: 'GET' | 'POST'
  headers?: Record<string, string>
  body?: Buffer
  withinMs?: number
}
export interface Answered {
  status: number
  headers: Headers
  text: string
}

/** Fails `unreachable` without an answer, and for one that is too long, leads elsewhere or says that the provider is broken. */
export async function askProvider(outbound: Outbound, url: URL, asked: Asked = {}): Promise<Answered> {
  const answer = await outbound.ask(url, { ...asked, mostBytes: MOST_BYTES + 1 }).catch((error: unknown) => {
    if (error instanceof OutboundError) return fail('unreachable', error.message)
    throw error
  })
  const { status, text } = answer
  if (Buffer.byteLength(text) > MOST_BYTES) fail('unreachable', `${url.host} answered with more than ${MOST_BYTES} bytes`)
  if (status >= 500 || (status >= 300 && status < 400)) fail('unreachable', `${url.host} answered ${status}`)
  const headers = new Headers()
  for (const [name, value] of Object.entries(answer.headers)) if (value !== undefined) headers.set(name, [value].flat().join(', '))
  return { status, headers, text }
}

/** Asks one provider, and notes whether it answers. */
export type Ask = (url: URL, asked?: Asked) => Promise<Answered>
