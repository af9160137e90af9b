/** Why an attempt to sign in with a provider failed. */
import { Refusal, refusalStatus } from '../errors/refusal.ts'

/** Reasons that count as refusals of the provider. `state` and `expired` come before these: the attempt is not this browser's own. */
export type ProviderReason = 'denied' | 'unreachable' | 'token' | 'clock' | 'claims' | 'not_allowed' | 'identity_taken'
export type FailureReason = 'state' | 'expired' | ProviderReason

const AGAIN_SECONDS = 5

/**
 * An attempt fails for this reason. `detail` is for administrators who try a provider, and for the log; it has no claim in it. As the reply
 * to a call, it says that the provider is unavailable.
 */
export class SignInFailure extends Refusal {
  override name = 'SignInFailure'
  readonly reason: FailureReason
  constructor(reason: FailureReason, detail: string = reason) {
    super('unavailable', { retryAfter: AGAIN_SECONDS })
    this.message = detail
    this.reason = reason
  }
}

export const fail = (reason: FailureReason, detail?: string): never => {
  throw new SignInFailure(reason, detail)
}

/** What ended an attempt, whose browser gets a page that explains, never a body. Throws the error if the portal itself is at fault. */
export function asFailure(error: unknown): SignInFailure {
  if (error instanceof SignInFailure) return error
  if (error instanceof Refusal && refusalStatus(error) < 500) return new SignInFailure('not_allowed', error.code)
  throw error
}
