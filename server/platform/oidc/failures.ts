/** Why an attempt to sign in with a provider failed. */

/** Reasons that count as refusals of the provider. Before these, the browser's attempt itself may be no good: `state`, `expired`. */
export type ProviderReason = 'denied' | 'unreachable' | 'token' | 'clock' | 'claims' | 'not_allowed' | 'identity_taken'
export type FailureReason = 'state' | 'expired' | ProviderReason

/** An attempt fails for this reason. `detail` is for administrators who try a provider, and for the log; it has no claim in it. */
export class SignInFailure extends Error {
  override name = 'SignInFailure'
  readonly reason: FailureReason
  constructor(reason: FailureReason, detail: string = reason) {
    super(detail)
    this.reason = reason
  }
}

export const fail = (reason: FailureReason, detail?: string): never => {
  throw new SignInFailure(reason, detail)
}
