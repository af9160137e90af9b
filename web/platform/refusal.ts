/** The failures of a call: refused by the portal, or never answered. */
import type { components } from '../../client/schema.d.ts'
import { inLanguage } from './language.ts'

type Body = components['schemas']['ErrorResponse']
export type RefusalCode = Body['code']

/** The portal's refusal, with a text in each language. */
export class Refusal extends Error {
  override name = 'Refusal'
  readonly status: number
  readonly code: RefusalCode | 'unreadable'
  readonly body: Partial<Body> & Record<string, unknown>
  /** Seconds to wait, if the portal sent `Retry-After`. */
  readonly retryAfter: number | undefined

  /** The id of the call in the portal's log. */
  readonly request: string | null

  constructor(status: number, body: Partial<Body> & Record<string, unknown>, retryAfter?: number, request: string | null = null) {
    super(body.messageEn ?? `HTTP ${status}`)
    this.status = status
    this.code = body.code ?? 'unreadable'
    this.body = body
    this.retryAfter = retryAfter
    this.request = request
  }

  /** The text in the language in force. */
  get text() {
    return inLanguage(this.body.messageAr, this.body.messageEn)
  }
}

/** A call without an answer: the connection or the portal is down. Whether the call took effect is unknown. */
export class Unreached extends Error {
  override name = 'Unreached'
}
