import { Type } from 'typebox'
import { findAdministrators } from '../../platform/auth/last-admin.ts'
import { kind } from '../../platform/changes/change-kind.ts'
import { providerNotices } from './rules.ts'

const Named = { slug: Type.String(), nameAr: Type.String(), nameEn: Type.String() }
const Changed = Type.Record(Type.String(), Type.Object({ from: Type.Unknown(), to: Type.Unknown() }))
const Link = Type.Object({ provider: Type.String(), providerNameAr: Type.String(), providerNameEn: Type.String() })
const Manager = { provider: Type.Optional(Type.String()), source: Type.Optional(Type.String()) }
const quiet = { emits: 'nothing' } as const

const securityChanged = (userId: number) => [{ event: 'security_changed' as const, data: {}, to: [userId] }]

export const providerChanges = {
  'provider.created': kind({
    targetType: 'provider',
    facts: Type.Object(Named),
    isSecurityEvent: true,
    audits: () => ({ action: 'provider.create' }),
    ...quiet,
  }),
  'provider.updated': kind({
    texts: ['nameAr', 'nameEn', 'iconName', 'sortOrder'],
    targetType: 'provider',
    facts: Type.Object({ slug: Type.String(), changed: Changed, isSecretChanged: Type.Optional(Type.Literal(true)) }),
    isSecurityEvent: true,
    audits: () => ({ action: 'provider.update' }),
    ...quiet,
  }),
  /** A check found no problems. */
  'provider.checked': kind({ targetType: 'provider', facts: Type.Object({}), audits: 'nothing', ...quiet }),
  'provider.deleted': kind({
    targetType: 'provider',
    facts: Type.Object({ ...Named, identityCount: Type.Integer() }),
    isSecurityEvent: true,
    audits: () => ({ action: 'provider.delete' }),
    ...quiet,
  }),
  /** The provider has not answered for a while. */
  'provider.unreachable': kind({
    targetType: 'provider',
    facts: Type.Object({ nameAr: Type.String(), nameEn: Type.String() }),
    audits: 'nothing',
    notifies: async (tx, { facts }) => [
      {
        recipients: await findAdministrators(tx),
        type: 'system',
        ...providerNotices['provider.unreachable'](facts),
        relatedType: null,
        relatedId: null,
      },
    ],
    emits: 'nothing',
  }),
  'identity.linked': kind({
    targetType: 'user',
    facts: Link,
    isSecurityEvent: true,
    audits: ({ facts: { provider } }) => ({ action: 'identity.link', metadata: { provider } }),
    notifies: (_tx, { targetId, facts }) => [
      {
        recipients: [targetId],
        tellsAuthor: true,
        type: 'system',
        ...providerNotices['identity.linked'](facts),
        relatedType: null,
        relatedId: null,
      },
    ],
    emits: (_tx, { targetId }) => securityChanged(targetId),
  }),
  'identity.unlinked': kind({
    targetType: 'user',
    facts: Type.Object({ provider: Type.String() }),
    isSecurityEvent: true,
    audits: ({ facts: { provider } }) => ({ action: 'identity.unlink', metadata: { provider } }),
    emits: (_tx, { targetId }) => securityChanged(targetId),
  }),
  /** A provider or a source now manages the members of the group. Members who are not people of the source have left. */
  'group.adopted': kind({
    targetType: 'group',
    facts: Type.Object({ ...Manager, left: Type.Optional(Type.Array(Type.Integer())) }),
    audits: () => ({ action: 'group.adopt' }),
    ...quiet,
  }),
  'group.released': kind({
    targetType: 'group',
    facts: Type.Object(Manager),
    audits: () => ({ action: 'group.release' }),
    ...quiet,
  }),
  /** The claims would have removed the last administrator, so the membership stayed. */
  'group.admin_kept': kind({
    targetType: 'group',
    facts: Type.Object({ provider: Type.String(), userId: Type.Integer(), personAr: Type.String(), personEn: Type.String() }),
    audits: 'nothing',
    notifies: async (tx, { targetId, facts: { personAr, personEn } }) => [
      {
        recipients: await findAdministrators(tx),
        type: 'system',
        template: 'last_admin_kept',
        params: { ar: { person: personAr }, en: { person: personEn } },
        relatedType: 'group',
        relatedId: targetId,
      },
    ],
    emits: 'nothing',
  }),
}
