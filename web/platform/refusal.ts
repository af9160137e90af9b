/** What may become of a call: refused by the portal, or never answered. */
import type { components } from '../../client/schema.d.ts'
import { inLanguage } from './language.ts'

type Body = components['schemas']['ErrorResponse']
export type RefusalCode = Body['code']

/** The portal's answer to what it would not do, with a sentence in each language. */
export class Refusal extends Error {
  override name = 'Refusal'
  readonly status: number
  readonly code: RefusalCode | 'unreadable'
  readonly body: Partial<Body> & Record<string, unknown>
  /** Seconds to wait, where the portal asked for patience. */
  readonly retryAfter: number | undefined

  /** What the portal's log knows the call by. */
  readonly request: string | null

  constructor(status: number, body: Partial<Body> & Record<string, unknown>, retryAfter?: number, request: string | null = null) {
    super(body.messageEn ?? `HTTP ${status}`)
    this.status = status
    this.code = body.code ?? 'unreadable'
    this.body = body
    this.retryAfter = retryAfter
    this.request = request
  }

  /** The sentence in the language in force. */
  get text() {
    return inLanguage(this.body.messageAr, this.body.messageEn)
  }
}

/** The call was never answered: no connection, or the portal is not there. Nothing is known of what it did. */
export class Unreached extends Error {
  override name = 'Unreached'
}
