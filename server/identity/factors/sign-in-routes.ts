import { changedIf, unchanged } from '../../platform/changes/outcome.ts'
import { refuse } from '../../platform/errors/refusal.ts'
import { command } from '../../platform/http/endpoint.ts'
import { findSession, lockForSignIn } from '../sessions/active-users.ts'
import { readAuthUser } from '../sessions/queries.ts'
import { AuthUser } from '../sessions/shapes.ts'
import { signIn } from '../sessions/sign-in.ts'
import { tellOfException } from '../settings/exception-notice.ts'
import { CHALLENGE_MS, type ChallengeOwner, keepChallenge } from './challenges.ts'
import { passkeyLimit } from './rules.ts'
import { ChallengeRequest, PasskeySignIn, RequestOptions } from './shapes.ts'
import { pendingFor } from './sign-in-step.ts'
import { checkAssertion, usePasskey } from './verify.ts'
import { rpIdOf } from './webauthn.ts'

export const requestPasskey = command('POST /auth/passkeys/options', {
  cookies: 'challenge',
  summary: 'Options with which a browser asks for a passkey',
  description:
    'The challenge is kept in the cookie `portal_challenge`, for five minutes, one purpose and one use; a browser keeps those of five tabs. `confirm` needs a session; `second_factor` and `link` need a sign-in or an identity that waits for the proof.',
  allow: 'anyone',
  body: ChallengeRequest,
  reply: RequestOptions,
  refuses: ['unauthorized', 'invalid_factor'],
  prepare: async ({ db, body: { purpose = 'sign_in' }, request }): Promise<ChallengeOwner> => {
    if (purpose === 'sign_in') return {}
    if (purpose === 'confirm') {
      const { sessionId, userId } = (await findSession(db, request.sessionToken)) ?? refuse('unauthorized')
      return { sessionId, userId }
    }
    const { userId } = pendingFor(request, purpose) ?? refuse('invalid_factor')
    return { userId }
  },
  run: async ({ body: { purpose = 'sign_in' }, prepared: asked, config, request, cookie }) => {
    const challenge = keepChallenge({ request, cookie }, { purpose, ...asked })
    const options = { challenge, rpId: rpIdOf(config), timeout: CHALLENGE_MS, userVerification: 'required' as const, allowCredentials: [] }
    return unchanged({ options })
  },
})

export const signInWithPasskey = command('POST /auth/passkeys/sign-in', {
  sendsEventId: true,
  summary: 'Sign in with a passkey',
  description: 'Whatever is wrong with the passkey or its person, the answer is the same.',
  cookies: 'sign_in',
  allow: 'anyone',
  body: PasskeySignIn,
  reply: AuthUser,
  refuses: ['invalid_factor', 'rate_limited'],
  limits: ({ request }) => [passkeyLimit(request.ip)],
  prepare: (call) => checkAssertion(call, call.body.assertion, { purpose: 'sign_in' }),
  run: async ({ tx, prepared: passkey, ...browser }) => {
    const { id, username } = (await lockForSignIn(tx, passkey.userId)) ?? refuse('invalid_factor')
    const used = await usePasskey(tx, passkey, browser, { id, username })
    const signedIn = await signIn(tx, { id, username }, browser, { level: 2, byPasskey: true })
    const told = await tellOfException(tx, { id, username }, browser)
    return changedIf(await readAuthUser(tx, id), [...signedIn, ...used, ...told])
  },
})
