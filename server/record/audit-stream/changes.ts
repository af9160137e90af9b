import { type Static, Type } from 'typebox'
import { findAdministrators } from '../../platform/auth/last-admin.ts'
import { kind, type Notice } from '../../platform/changes/change-kind.ts'
import type { Tx } from '../../platform/database/db.ts'

const targetType = 'audit_stream'
const streamChanged = async (tx: Tx) => [{ event: 'audit_stream_changed' as const, data: {}, to: await findAdministrators(tx) }]

const Announced = Type.Union([
  Type.Object({ news: Type.Literal('behind') }),
  Type.Object({ news: Type.Literal('refused'), id: Type.Integer() }),
])

async function announcement(tx: Tx, facts: Static<typeof Announced>): Promise<Notice[]> {
  const common = { recipients: await findAdministrators(tx), type: 'system', relatedType: null, relatedId: null } as const
  if (facts.news === 'behind') return [{ ...common, template: 'audit_stream_behind', params: { ar: {}, en: {} } }]
  const params = { id: String(facts.id) }
  return [{ ...common, template: 'audit_stream_refused', params: { ar: params, en: params } }]
}

export const auditStreamChanges = {
  /** Administrators are told that the stream is an hour behind, or that the collector refused a line. */
  'audit_stream.announced': kind({
    targetType,
    facts: Announced,
    isKept: false,
    audits: 'nothing',
    notifies: (tx, { facts }) => announcement(tx, facts),
    emits: streamChanged,
  }),
  /** Lines were sent, or sending began to fail. */
  'audit_stream.sent': kind({ targetType, facts: Type.Object({}), isKept: false, audits: 'nothing', emits: streamChanged }),
}
