import { sql } from 'kysely'
import { Actor } from '../../../server/platform/auth/actor.ts'
import { columnsOf, openExport, pageExportRows } from '../../../server/work/service-reports/export.ts'
import { readReport } from '../../../server/work/service-reports/queries.ts'
import type { Samples } from '../recorder.ts'

const access = { roles: [], permissions: new Set<string>(), groups: [], groupIds: new Set<number>() }
const lead = new Actor({ id: 1, kind: 'person', username: 'sara', language: 'ar', access, version: 1, epoch: 1, edition: 1 })
const administrator = new Actor({ ...lead, access: { ...access, roles: ['admin'] } })
const days = { from: '2026-01-01', to: '2026-01-31' }

export default {
  readReport: {
    'for administrators': (db) => readReport(db([{ serviceId: null }]), administrator, days, () => {}),
    'for the leads of a team': (db) =>
      readReport(db([{ id: 4 }], [{ serviceId: null }]), lead, { ...days, teamId: 4, serviceId: 2 }, () => {}),
  },
  openExport: (db) => openExport(db([{ id: 4 }], [{ id: 2 }], [{ count: 1 }]), lead, { ...days, serviceId: 2 }, () => {}),
  columnsOf: (db) => columnsOf(db(), 2),
  pageExportRows: (db) => pageExportRows(db(), sql`true`, [], 'ar'),
} satisfies Samples
