import { resource } from '../../../platform/cache.ts'
import type { Schemas } from '../../../platform/client.ts'

export type AuditStream = Schemas['AuditStream']

export const auditStream = resource('/admin/audit-stream')
