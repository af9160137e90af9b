import { Type } from 'typebox'
import { findAdministrators } from '../../platform/auth/last-admin.ts'
import { kind } from '../../platform/changes/change-kind.ts'
import type { Tx } from '../../platform/database/db.ts'
import { OneOf } from '../../platform/http/shape.ts'

const Named = { name: Type.String() }
const Person = { source: Type.String(), personAr: Type.String(), personEn: Type.String() }
const provisioningChanged = async (tx: Tx) => [{ event: 'provisioning_changed' as const, data: {}, to: await findAdministrators(tx) }]
const quiet = { audits: 'nothing', emits: 'nothing' } as const

export const scimChanges = {
  'source.created': kind({
    targetType: 'source',
    facts: Type.Object(Named),
    isSecurityEvent: true,
    audits: () => ({ action: 'source.create' }),
    emits: provisioningChanged,
  }),
  'source.updated': kind({
    targetType: 'source',
    facts: Type.Object({ ...Named, changed: Type.Record(Type.String(), Type.Object({ from: Type.Unknown(), to: Type.Unknown() })) }),
    isSecurityEvent: true,
    audits: () => ({ action: 'source.update' }),
    emits: provisioningChanged,
  }),
  'source.deleted': kind({
    targetType: 'source',
    facts: Type.Object({ ...Named, userCount: Type.Integer(), groupCount: Type.Integer() }),
    isSecurityEvent: true,
    audits: () => ({ action: 'source.delete' }),
    emits: provisioningChanged,
  }),
  /** The account of a source, which is made and removed with the source. */
  'source.account_made': kind({ targetType: 'user', facts: Type.Object(Named), ...quiet }),
  'source.account_removed': kind({ targetType: 'user', facts: Type.Object(Named), ...quiet }),
  /** A source deactivates too many people: this deactivation and the next ones are held. */
  'source.held': kind({
    targetType: 'source',
    facts: Type.Object(Named),
    isSecurityEvent: true,
    audits: 'nothing',
    notifies: async (tx, { facts: { name } }) => [
      {
        recipients: await findAdministrators(tx),
        type: 'system',
        template: 'source_held',
        params: { ar: { source: name }, en: { source: name } },
        relatedType: null,
        relatedId: null,
      },
    ],
    emits: provisioningChanged,
  }),
  /** The source has not called for a day, or many of its calls are refused. */
  'source.announced': kind({
    targetType: 'source',
    facts: Type.Object({ ...Named, news: OneOf(['silent', 'refused']) }),
    isKept: false,
    audits: 'nothing',
    notifies: async (tx, { facts: { name, news } }) => [
      {
        recipients: await findAdministrators(tx),
        type: 'system',
        template: news === 'silent' ? 'source_silent' : 'source_refused',
        params: { ar: { source: name }, en: { source: name } },
        relatedType: null,
        relatedId: null,
      },
    ],
    emits: 'nothing',
  }),
  /** A source takes over an account. */
  'user.adopted': kind({
    targetType: 'user',
    facts: Type.Object({ ...Person, ofAdmin: Type.Optional(Type.Literal(true)) }),
    isSecurityEvent: true,
    audits: ({ facts: { source, ofAdmin } }) => ({ action: 'user.adopt', metadata: { source, ...(ofAdmin && { ofAdmin }) } }),
    notifies: async (tx, { targetId, facts: { ofAdmin, source, personAr, personEn } }) =>
      ofAdmin
        ? [
            {
              recipients: await findAdministrators(tx),
              type: 'system',
              template: 'admin_adopted',
              params: { ar: { source, person: personAr }, en: { source, person: personEn } },
              relatedType: 'user',
              relatedId: targetId,
            },
          ]
        : [],
    emits: 'nothing',
  }),
  /** An administrator vouches for the address of an account, so that a source may take over the account. */
  'user.adoption_allowed': kind({
    targetType: 'user',
    facts: Type.Object({}),
    isSecurityEvent: true,
    audits: () => ({ action: 'user.adopt', metadata: { isByHand: true } }),
    emits: 'nothing',
  }),
  /** A source may not take over an account, because nobody has proven its address. */
  'user.adoption_refused': kind({
    targetType: 'user',
    facts: Type.Object(Person),
    audits: 'nothing',
    notifies: async (tx, { targetId, facts: { source, personAr, personEn } }) => [
      {
        recipients: await findAdministrators(tx),
        type: 'system',
        template: 'adoption_refused',
        params: { ar: { source, person: personAr }, en: { source, person: personEn } },
        relatedType: 'user',
        relatedId: targetId,
      },
    ],
    emits: 'nothing',
  }),
  /** A source changed who is in a group that makes its members administrators. */
  'group.admins_moved': kind({
    targetType: 'group',
    facts: Type.Object({ source: Type.String(), name: Type.String() }),
    audits: 'nothing',
    notifies: async (tx, { targetId, facts }) => [
      {
        recipients: await findAdministrators(tx),
        type: 'system',
        template: 'admins_moved',
        params: { ar: facts, en: facts },
        relatedType: 'group',
        relatedId: targetId,
      },
    ],
    emits: 'nothing',
  }),
}
