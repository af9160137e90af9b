import { lockPerson } from '../../people/users/queries.ts'
import { guardBreakGlass } from '../../platform/auth/break-glass.ts'
import { changed } from '../../platform/changes/outcome.ts'
import type { Tx } from '../../platform/database/db.ts'
import { quotaExceeded, refuse } from '../../platform/errors/refusal.ts'
import { command } from '../../platform/http/endpoint.ts'
import { Nothing } from '../../platform/http/shape.ts'
import type { Secrets } from '../../platform/secrets/secrets.ts'
import { readSettings } from '../../site/settings/queries.ts'
import { afterRemoval, issueRecoveryCodes, withFactor } from './enrol.ts'
import { hasFactor, keepUnproven, lockTotp, readFactors, removeFactors, useStep } from './queries.ts'
import { factorLimit, ownShare, totpUri } from './rules.ts'
import { AddedFactor, NewCodes, TotpCode, TotpSecret } from './shapes.ts'
import { isUsedAgain, newSecret, readSecret, secretPlace, stepOf } from './totp.ts'

const FACTS = { factor: 'totp' } as const

export const beginTotp = command('POST /auth/me/totp', {
  summary: 'A new secret for an authenticator app',
  description: 'It counts once a code has proven it, within 10 minutes. A newer one replaces it.',
  allow: 'signed-in',
  confirm: 'person',
  locks: 'caller',
  reply: TotpSecret,
  refuses: ['quota_exceeded', 'secrets_not_configured', 'rate_limited'],
  limits: ({ actor }) => [ownShare('totp', actor.id)],
  prepare: newSecret,
  run: async ({ tx, actor, secrets, prepared: secret }) => {
    const { username, preferredLanguage } = await lockPerson(tx, actor.id)
    if ((await readFactors(tx, actor.id)).totpSince) throw quotaExceeded({ quota: 'totp', used: 1, allowed: 1 })
    await keepUnproven(tx, actor.id, secrets.encrypt(secretPlace(actor.id), secret))
    const { siteNameAr, siteNameEn } = await readSettings(tx)
    const uri = totpUri({ site: preferredLanguage === 'ar' ? siteNameAr : siteNameEn, username, secret })
    return changed({ secret, uri }, { kind: 'totp.begun', targetId: actor.id, facts: {} })
  },
})

export const proveTotp = command('POST /auth/me/totp/confirm', {
  summary: 'Prove the new secret with a code, which makes the authenticator app a factor',
  allow: 'signed-in',
  locks: 'caller',
  body: TotpCode,
  reply: AddedFactor,
  refuses: [{ code: 'invalid_factor', status: 400 }, 'secrets_not_configured', 'rate_limited'],
  limits: ({ actor }) => [factorLimit(actor.id)],
  run: async ({ tx, actor, session, body, secrets }) => {
    await lockPerson(tx, actor.id)
    const totp = await lockTotp(tx, actor.id, false)
    const step = totp?.secret ? await stepOf(readSecret(secrets, actor.id, totp.secret), body.code, null) : undefined
    if (step === undefined)
      return refuse('invalid_factor', { status: 400, ...(!totp && (await isProof(tx, secrets, actor.id, body.code))) })
    const { recoveryCodes } = await withFactor(tx, { userId: actor.id, sessionId: session.id }, () => useStep(tx, actor.id, step))
    return changed({ recoveryCodes }, { kind: 'factor.added', targetId: actor.id, facts: FACTS })
  },
})

/** Returns `isUncounted` if the code is the one that was used last: sent again, it does not count as a wrong try. */
async function isProof(tx: Tx, secrets: Secrets, userId: number, code: string) {
  const totp = await lockTotp(tx, userId, true)
  const isAgain = totp?.secret && (await isUsedAgain(readSecret(secrets, userId, totp.secret), code, totp.lastStep))
  return isAgain ? ({ isUncounted: true } as const) : {}
}

export const removeTotp = command('DELETE /auth/me/totp', {
  summary: 'Remove the authenticator app',
  description: 'With the last factor, the recovery codes are gone.',
  allow: 'signed-in',
  confirm: 'person',
  locks: 'caller',
  reply: Nothing,
  status: 204,
  refuses: ['not_found', 'last_break_glass'],
  run: async ({ tx, actor }) => {
    await lockPerson(tx, actor.id)
    const keepBreakGlass = await guardBreakGlass(tx)
    if ((await removeFactors(tx, actor.id, { kind: 'totp' })).length === 0) refuse('not_found')
    await afterRemoval(tx, actor.id)
    await keepBreakGlass()
    return changed(null, { kind: 'factor.removed', targetId: actor.id, facts: FACTS })
  },
})

export const renewRecoveryCodes = command('POST /auth/me/recovery-codes', {
  summary: 'Replace the recovery codes',
  allow: 'signed-in',
  confirm: 'person',
  locks: 'caller',
  reply: NewCodes,
  refuses: ['invalid_transition', 'rate_limited'],
  limits: ({ actor }) => [ownShare('recovery_codes', actor.id)],
  run: async ({ tx, actor }) => {
    await lockPerson(tx, actor.id)
    if (!hasFactor(await readFactors(tx, actor.id))) refuse('invalid_transition')
    const recoveryCodes = await issueRecoveryCodes(tx, actor.id)
    return changed({ recoveryCodes }, { kind: 'recovery_codes.replaced', targetId: actor.id, facts: {} })
  },
})
