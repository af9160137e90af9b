import { Type } from 'typebox'
import { type Event, kind, type Notice } from '../../platform/changes/change-kind.ts'
import { OneOf } from '../../platform/http/shape.ts'
import { factorKinds, factorNotices } from './rules.ts'

const nothing = Type.Object({})
const Factor = Type.Object({ factor: OneOf(factorKinds), name: Type.Optional(Type.String()) })
const quiet = { audits: 'nothing', emits: 'nothing' } as const

const securityChanged = (targetId: number): Event[] => [{ event: 'security_changed', data: {}, to: [targetId] }]

const toSelf = (userId: number, notice: ReturnType<(typeof factorNotices)[keyof typeof factorNotices]>): Notice[] => [
  { ...notice, recipients: [userId], type: 'system', relatedType: null, relatedId: null, tellsAuthor: true },
]

export const factorChanges = {
  'factor.added': kind({
    targetType: 'user',
    facts: Factor,
    isSecurityEvent: true,
    audits: () => ({ action: 'factor.add' }),
    notifies: (_tx, { targetId, facts }) => toSelf(targetId, factorNotices['factor.added'](facts)),
    emits: (_tx, { targetId }) => securityChanged(targetId),
  }),
  'factor.removed': kind({
    targetType: 'user',
    facts: Factor,
    isSecurityEvent: true,
    audits: () => ({ action: 'factor.remove' }),
    notifies: (_tx, { targetId, facts }) => toSelf(targetId, factorNotices['factor.removed'](facts)),
    emits: (_tx, { targetId }) => securityChanged(targetId),
  }),
  /** An administrator or the operator removed all factors of a person. */
  'factors.reset': kind({
    targetType: 'user',
    facts: Type.Object({ username: Type.String(), factors: Type.Array(Factor) }),
    isSecurityEvent: true,
    audits: () => ({ action: 'factor.reset' }),
    notifies: (_tx, { targetId }) => toSelf(targetId, factorNotices['factors.reset']()),
    emits: (_tx, { targetId }) => securityChanged(targetId),
  }),
  'factor.used': kind({ targetType: 'user', facts: Type.Object({ factor: OneOf(factorKinds) }), ...quiet }),
  'passkey.renamed': kind({
    targetType: 'user',
    facts: Type.Object({ changed: Type.Object({ name: Type.Object({ from: Type.String(), to: Type.String() }) }) }),
    audits: 'nothing',
    emits: (_tx, { targetId }) => securityChanged(targetId),
  }),
  /** A secret for one-time codes was made. It is no factor until a code has proven it. */
  'totp.begun': kind({ targetType: 'user', facts: nothing, ...quiet }),
  'totp.forgotten': kind({ targetType: 'user', facts: nothing, ...quiet }),
  'recovery_codes.replaced': kind({
    targetType: 'user',
    facts: nothing,
    isSecurityEvent: true,
    audits: () => ({ action: 'recovery_codes.replace' }),
    emits: (_tx, { targetId }) => securityChanged(targetId),
  }),
  'recovery_code.used': kind({
    targetType: 'user',
    facts: Type.Object({ left: Type.Integer() }),
    isSecurityEvent: true,
    audits: 'nothing',
    notifies: (_tx, { targetId, facts }) => toSelf(targetId, factorNotices['recovery_code.used'](facts)),
    emits: (_tx, { targetId }) => securityChanged(targetId),
  }),
}
