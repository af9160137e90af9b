import { Type } from 'typebox'
import { type Event, given, kind, type Notice } from '../../platform/changes/change-kind.ts'
import { noMoves } from '../../platform/database/sets.ts'
import type { Language } from '../../platform/tables.ts'
import { momentFor, type titlesOf } from '../../platform/text.ts'
import { readSettings } from '../../site/settings/queries.ts'
import { endLost } from './rules.ts'

const Moment = Type.String()
const End = Type.Union([Moment, Type.Null()])
const Member = { userId: Type.Integer(), groupName: Type.String() }
const Role = { roleId: Type.Integer(), roleName: Type.String() }
const EndMoved = { from: End, to: End }
const Reminded = Type.Object({
  of: Type.Union([Type.Literal('group'), Type.Literal('role')]),
  id: Type.Integer(),
  name: Type.String(),
  expiresAt: Moment,
})

type Titles = ReturnType<typeof titlesOf>
/** The name of the group or role, in each language. */
interface Named {
  titles: Titles
}

const meChanged = (userId: number): Event => ({ event: 'me_changed', data: {}, to: [userId] })
const both = (userId: number): Event[] => [{ event: 'apps_changed', data: {}, to: [userId] }, meChanged(userId)]

const ended = (template: 'membership_ended' | 'role_ended', recipients: number[], relatedId: number, { ar, en }: Titles): Notice => ({
  recipients,
  type: 'system',
  template,
  params: { ar: { name: ar }, en: { name: en } },
  relatedType: template === 'role_ended' ? 'role' : 'group',
  relatedId,
})

export const grantChanges = {
  /** The portal removes an ended membership. */
  'group.member_expired': kind({
    targetType: 'group',
    facts: Type.Object({ ...Member, expiresAt: Moment }),
    needs: { recipients: given<number[]>(), payload: given<Named>() },
    audits: ({ facts: { userId, expiresAt } }) => ({ action: 'group.member.expire', metadata: { userId, expiresAt } }),
    histories: ({ targetId, facts: { userId, expiresAt } }) => [
      { kind: 'group.users', target: targetId, added: [], removed: [userId], ends: [endLost(userId, expiresAt)] },
      { kind: 'user.groups', target: userId, added: [], removed: [targetId], ends: [endLost(targetId, expiresAt)] },
    ],
    notifies: (_tx, { targetId, recipients, payload: { titles } }) => [ended('membership_ended', recipients, targetId, titles)],
    emits: (_tx, { facts }) => both(facts.userId),
  }),
  /** The portal removes an ended role. */
  'user.role_expired': kind({
    targetType: 'user',
    facts: Type.Object({ ...Role, expiresAt: Moment }),
    needs: { recipients: given<number[]>(), payload: given<Named>() },
    audits: () => ({ action: 'user.role.expire' }),
    histories: ({ targetId, facts: { roleId, expiresAt } }) => [
      { kind: 'user.roles', target: targetId, added: [], removed: [roleId], ends: [endLost(roleId, expiresAt)] },
    ],
    notifies: (_tx, { facts, recipients, payload: { titles } }) => [ended('role_ended', recipients, facts.roleId, titles)],
    emits: (_tx, { targetId }) => both(targetId),
  }),
  'group.member_end_changed': kind({
    targetType: 'group',
    facts: Type.Object({ userId: Type.Integer(), ...EndMoved, requestId: Type.Optional(Type.Integer()) }),
    audits: ({ facts: { userId, requestId, ...expiresAt } }) => ({
      action: 'group.member.update',
      metadata: { userId, changed: { expiresAt }, ...(requestId && { requestId }) },
    }),
    histories: ({ targetId, facts: { userId, requestId: _, ...end } }) => [
      { kind: 'group.users', target: targetId, ...noMoves, ends: [{ id: userId, ...end }] },
      { kind: 'user.groups', target: userId, ...noMoves, ends: [{ id: targetId, ...end }] },
    ],
    emits: (_tx, { facts }) => [meChanged(facts.userId)],
  }),
  'user.role_end_changed': kind({
    targetType: 'user',
    facts: Type.Object({ ...Role, ...EndMoved }),
    audits: ({ facts: { roleId, roleName, ...expiresAt } }) => ({
      action: 'user.role.update',
      metadata: { roleId, roleName, changed: { expiresAt } },
    }),
    histories: ({ targetId, facts: { roleId, roleName: _, ...end } }) => [
      { kind: 'user.roles', target: targetId, ...noMoves, ends: [{ id: roleId, ...end }] },
    ],
    emits: (_tx, { targetId }) => [meChanged(targetId)],
  }),
  'user.reminded_of_end': kind({
    targetType: 'user',
    facts: Reminded,
    isKept: false,
    needs: { payload: given<Named>() },
    audits: 'nothing',
    notifies: async (tx, { targetId, facts: { of, id, expiresAt }, payload: { titles } }) => {
      const { timeZone } = await readSettings(tx)
      const textsIn = (language: Language) => ({ name: titles[language], until: momentFor(language, new Date(expiresAt), timeZone) })
      return [
        {
          recipients: [targetId],
          type: 'system',
          template: of === 'role' ? 'role_ends_soon' : 'membership_ends_soon',
          params: { ar: textsIn('ar'), en: textsIn('en') },
          relatedType: of,
          relatedId: id,
        },
      ]
    },
    emits: 'nothing',
  }),
}
