/** Why an attempt to sign in with a provider failed. */
import { Refusal, refusalStatus } from '../errors/refusal.ts'

/** Failures that are counted for the provider. `state` and `expired` are not: such an attempt is not this browser's own. */
export type ProviderReason = 'denied' | 'unreachable' | 'token' | 'clock' | 'claims' | 'not_allowed' | 'identity_taken'
export type FailureReason = 'state' | 'expired' | ProviderReason

const AGAIN_SECONDS = 5

/**
 * The failure of an attempt. `detail` is for the log and for administrators who test a provider; it contains no claim. A call that throws
 * this is answered with `unavailable`.
 */
export class SignInFailure extends Refusal {
  override name = 'SignInFailure'
  readonly reason: FailureReason
  constructor(reason: FailureReason, detail: string = reason, cause?: Error) {
    super('unavailable', { retryAfter: AGAIN_SECONDS })
    this.message = detail
    this.reason = reason
    if (cause) this.cause = cause
  }
}

export const fail = (reason: FailureReason, detail?: string): never => {
  throw new SignInFailure(reason, detail)
}

/** The error that ended an attempt, as a failure that a page can explain. Rethrows the error if the portal itself is at fault. */
export function asFailure(error: unknown): SignInFailure {
  if (error instanceof SignInFailure) return error
  if (error instanceof Refusal && refusalStatus(error) < 500) return new SignInFailure('not_allowed', error.code)
  throw error
}
