import { csvChunks } from '../../platform/csv.ts'
import { download, query } from '../../platform/http/endpoint.ts'
import { columnsOf, FIXED_COLUMNS, openExport, pageExportRows } from './export.ts'
import { readReport } from './queries.ts'
import { ExportQuery, ReportQuery, ServiceReport } from './shapes.ts'

export const readServiceReports = query('GET /service-reports', {
  summary: 'How many orders were placed, completed and in time, by service and by day',
  description:
    'For administrators, and for the leads of teams about the orders of these. At most 92 days of the office, both included. An order belongs to the day on which it was placed and to the team that has it now. One that was deleted counts as it stood then, and as late from the moment of its target on; one that was reopened keeps its first completion.',
  allow: 'signed-in',
  scope: 'admin:read',
  record: ServiceReport,
  query: ReportQuery,
  reply: ServiceReport,
  refuses: ['forbidden'],
  run: ({ db, actor, query, asLongAs }) => readReport(db, actor, query, asLongAs),
})

export const exportOrders = download('GET /service-reports/orders.csv', {
  summary: 'The orders of one service as a CSV file of at most 50,000 rows, newest first',
  description:
    'Access and days are those of the report. After the columns of every order, there is one for each key that a version of the form ever had; counts of items are `key=count`, joined by `; `. People are named by their usernames. The text begins with a byte-order mark; cells that a spreadsheet could execute begin with a single quote. If there are more rows, `X-Rows-Omitted` has the number of the omitted ones, and one more row says so in its first cell. The download is recorded in the audit log.',
  allow: 'signed-in',
  scope: 'admin:read',
  query: ExportQuery,
  contentType: 'text/csv; charset=utf-8',
  example: `${FIXED_COLUMNS.join()},drink\n`,
  refuses: ['forbidden', 'not_found'],
  run: async ({ db, actor, query, asLongAs }) => {
    const { which, omitted } = await openExport(db, actor, query, asLongAs)
    const { from, to, serviceId } = query
    const columns = await columnsOf(db, serviceId)
    return {
      ...{ omitted, filename: `orders-${serviceId}-${from}-${to}.csv`, contentType: 'text/csv; charset=utf-8' },
      chunks: csvChunks([...FIXED_COLUMNS, ...columns.map(({ key }) => key)], pageExportRows(db, which, columns, actor.language), {
        omitted,
        language: actor.language,
      }),
    }
  },
  recorded: ({ query: { from, to, serviceId, teamId = null } }) => ({
    kind: 'order.exported',
    targetId: serviceId,
    facts: { from, to, serviceId, teamId },
  }),
})
