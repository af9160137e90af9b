import { lockPerson } from '../../people/users/queries.ts'
import { confirmedUntil, meansOf } from '../../platform/auth/confirmation.ts'
import { type Change, changed } from '../../platform/changes/outcome.ts'
import { refuse, refuseField } from '../../platform/errors/refusal.ts'
import { command, query } from '../../platform/http/endpoint.ts'
import { readFactors } from '../factors/queries.ts'
import { factorLimit, ownShare } from '../factors/rules.ts'
import { type CheckedFactor, checkFactor, useFactor } from '../factors/verify.ts'
import { readPasswordHash } from '../passwords/queries.ts'
import { tries } from '../passwords/rules.ts'
import { confirmSession } from '../sessions/queries.ts'
import { readDuty, readSignInSettings } from '../settings/queries.ts'
import { Confirmation, Confirmed, OwnSecurity } from './shapes.ts'

export const confirm = command('POST /auth/me/confirm', {
  summary: 'Prove again who one is, for the next 15 minutes of this session',
  description: 'Someone with a passkey or an app for codes proves it with that, not with the password alone.',
  allow: 'signed-in',
  locks: 'caller',
  body: Confirmation,
  reply: Confirmed,
  refuses: ['invalid_password', { code: 'invalid_factor', status: 400 }, 'confirmation_required', 'secrets_not_configured', 'rate_limited'],
  limits: ({ actor }) => [{ rule: tries.ownPassword, key: String(actor.id) }, factorLimit(actor.id), ownShare('confirmations', actor.id)],
  prepare: async (call) => {
    const { db, actor, session, body, passwords } = call
    const { password, ...factor } = body
    const opening = { purpose: 'confirm', sessionId: session.id, userId: actor.id } as const
    if (password === undefined) return { factor: await checkFactor(call, factor, opening, 'password') }
    if (Object.keys(factor).length > 0) refuseField('password', 'exclusive', { fields: Object.keys(factor) })
    const { methods } = await meansOf(db, actor.id)
    if (!methods.includes('password')) refuse('confirmation_required', { body: { methods } })
    if (!(await passwords.isRight(password, await readPasswordHash(db, actor.id)))) refuse('invalid_password')
    return { factor: null }
  },
  run: async ({ tx, actor, session, prepared: { factor }, ...using }) => {
    if (!factor) return confirmed(await confirmSession(tx, session.id), actor.id, 'password')
    await lockPerson(tx, actor.id)
    const used = await useFactor(tx, factor, { userId: actor.id, purpose: 'confirm' }, using)
    return confirmed(await confirmSession(tx, session.id, { level: 2 }), actor.id, wayOf(factor), used)
  },
})

const wayOf = (factor: CheckedFactor) => ('passkey' in factor ? 'passkey' : 'code' in factor ? 'totp' : 'recovery_code')
const confirmed = (confirmedUntil: Date, targetId: number, way: string, used: Change[] = []) =>
  changed({ confirmedUntil }, { kind: 'session.confirmed', targetId, facts: { with: way } }, ...used)

export const showOwnSecurity = query('GET /auth/me/security', {
  summary: 'How the caller signs in and confirms, and what their roles require of them',
  description:
    '`duty` is there while a role requires a second factor: since when, and until when everything stays open to those who have none.',
  allow: 'signed-in',
  reply: OwnSecurity,
  run: async ({ db, actor, session }) => {
    const [means, duty] = [await meansOf(db, actor.id), await readDuty(db, actor.id)]
    const { passkeyCount, totpSince, recoveryCodesLeft } = await readFactors(db, actor.id)
    const { personalTokens, tokenMaxDays } = await readSignInSettings(db)
    return {
      confirmedUntil: confirmedUntil(session, means),
      level: session.level,
      methods: means.methods,
      hasPassword: means.hasPassword,
      passkeyCount,
      totpSince,
      recoveryCodesLeft,
      duty,
      mostTokenDays: personalTokens ? tokenMaxDays : null,
    }
  },
})
