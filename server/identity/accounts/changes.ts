import { Type } from 'typebox'
import { findAdministrators } from '../../platform/auth/last-admin.ts'
import { given, kind } from '../../platform/changes/change-kind.ts'
import { OneOf } from '../../platform/http/shape.ts'
import { Ending } from '../../site/events/shapes.ts'
import { factorKinds } from '../factors/rules.ts'
import { clearedNotice } from '../passwords/rules.ts'
import type { exceptionNotice } from '../settings/rules.ts'

const nothing = Type.Object({})
const sessionsEnded = Type.Object({ reason: Ending, sessionIds: Type.Array(Type.Integer()) })
const quiet = { audits: 'nothing', emits: 'nothing' } as const

export const accountChanges = {
  'session.started': kind({ targetType: 'user', facts: Type.Object({ ip: Type.String() }), ...quiet }),
  /** Sessions ended; their streams give the reason and close. */
  'session.ended': kind({
    targetType: 'user',
    facts: sessionsEnded,
    isSecurityEvent: true,
    audits: 'nothing',
    emits: (_tx, { targetId, facts: { reason, sessionIds } }) => [
      { event: 'session_ended', data: { reason }, to: sessionIds.length ? [targetId] : [], sessions: sessionIds },
    ],
  }),
  /** A person confirmed who they are. */
  'session.confirmed': kind({
    targetType: 'user',
    facts: Type.Object({ with: Type.String() }),
    isSecurityEvent: true,
    ...quiet,
  }),
  /** The first proof of the owner removed the factors, tokens and identities that the account had before. */
  'account.cleared': kind({
    targetType: 'user',
    facts: Type.Object({
      username: Type.String(),
      factors: Type.Array(Type.Object({ factor: OneOf(factorKinds), name: Type.Optional(Type.String()) })),
      recoveryCodes: Type.Integer(),
      identities: Type.Integer(),
      tokens: Type.Integer(),
      trustedDevices: Type.Integer(),
      subscriptions: Type.Integer(),
    }),
    isSecurityEvent: true,
    audits: ({ facts: { username: _, ...removed } }) => ({ action: 'account.clear', metadata: removed }),
    notifies: (_tx, { targetId, facts }) => [
      { ...clearedNotice(facts), recipients: [targetId], tellsAuthor: true, type: 'system', relatedType: null, relatedId: null },
    ],
    emits: (_tx, { targetId }) => [{ event: 'security_changed', data: {}, to: [targetId] }],
  }),
  /** An exception signed in by password while a provider is required. */
  'user.broke_glass': kind({
    targetType: 'user',
    facts: Type.Object({ username: Type.String(), ip: Type.String() }),
    needs: { payload: given<ReturnType<typeof exceptionNotice>>() },
    isSecurityEvent: 'warning',
    audits: () => ({ action: 'auth.break_glass' }),
    notifies: async (tx, { targetId, payload }) => [
      { recipients: await findAdministrators(tx), type: 'system', ...payload, relatedType: 'user', relatedId: targetId },
    ],
    emits: 'nothing',
  }),
  /** An administrator ended someone's sessions. */
  'user.sessions_ended': kind({
    targetType: 'user',
    facts: Type.Object({ username: Type.String(), count: Type.Integer() }),
    isSecurityEvent: true,
    audits: () => ({ action: 'user.sessions.end' }),
    emits: 'nothing',
  }),
  'user.preferences_changed': kind({
    targetType: 'user',
    isGathered: true,
    facts: Type.Object({ changed: Type.Record(Type.String(), Type.Unknown()) }),
    audits: 'nothing',
    emits: (_tx, { targetId }) => [{ event: 'me_changed', data: {}, to: [targetId] }],
  }),
  'user.password_changed': kind({ targetType: 'user', facts: nothing, isSecurityEvent: true, ...quiet }),
  'user.password_reset': kind({
    targetType: 'user',
    facts: nothing,
    isSecurityEvent: true,
    audits: () => ({ action: 'auth.password.reset' }),
    emits: 'nothing',
  }),
  'user.reset_link_mailed': kind({ targetType: 'user', facts: nothing, isSecurityEvent: true, ...quiet }),
  'user.invitation_mailed': kind({ targetType: 'user', facts: nothing, isSecurityEvent: true, ...quiet }),
  'user.reset_link_issued': kind({
    targetType: 'user',
    facts: Type.Object({ username: Type.String() }),
    isSecurityEvent: true,
    audits: () => ({ action: 'user.reset_link.issue' }),
    emits: 'nothing',
    settles: ({ targetId }) => [{ relatedType: 'user', relatedId: targetId, template: 'reset_asked' }],
  }),
  /** Somebody forgot their password. Without a mail server, the administrators are notified in the portal. */
  'user.reset_asked': kind({
    targetType: 'user',
    facts: Type.Object({ nameAr: Type.String(), nameEn: Type.String() }),
    isSecurityEvent: true,
    audits: 'nothing',
    notifies: async (tx, { targetId, facts: { nameAr, nameEn } }) => [
      {
        recipients: await findAdministrators(tx),
        type: 'system',
        template: 'reset_asked',
        params: { ar: { person: nameAr }, en: { person: nameEn } },
        relatedType: 'user',
        relatedId: targetId,
      },
    ],
    emits: 'nothing',
  }),
}
