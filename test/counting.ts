/** Records the statements that a portal sends to the database. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { mock } from 'node:test'
import pg from 'pg'
import { jobs } from '../server/lists/jobs.ts'
import type { Job } from '../server/platform/jobs/runner.ts'

/** True inside a job. Jobs run on their own schedule, so their statements are not counted. */
export const inJob = new AsyncLocalStorage<boolean>()
const runnable = jobs as Record<string, Job>
for (const [name, job] of Object.entries(runnable)) runnable[name] = (payload, context) => inJob.run(true, () => job(payload, context))

/**
 * Statements that are not part of an endpoint: reading events, queueing pushes, looking for webhooks, keeping the audit stream, looking for a
 * new key of cookies, health checks, authentication, connecting.
 */
const asides =
  /^(events_|why_ended|touch_sessions|load_actors)|delete from pushes using due|^select from webhooks where is_active limit 1|place_audit_entries|keep_security_events|^select$|^select case when not pg_is_in_recovery|bawaba_events|from made_key$/
let sent: string[] = []
let brought: number[] = []
const send = pg.Client.prototype.query as (...parts: unknown[]) => unknown
mock.method(pg.Client.prototype, 'query', function (this: { connectionParameters: Record<string, unknown> }, ...parts: unknown[]) {
  const { name = '', text } = typeof parts[0] === 'string' ? { text: parts[0] } : (parts[0] as { name?: string; text: string })
  const isOwn = this.connectionParameters['application_name'] === 'bawaba'
  const isCounted = isOwn && !inJob.getStore() && !asides.test(name) && !asides.test(text)
  if (isCounted) sent.push(text.replace(/\s+/g, ' ').trim())
  const answer = send.apply(this, parts)
  if (isCounted && answer instanceof Promise) answer.then(({ rows }: pg.QueryResult) => brought.push(rows.length)).catch(() => {})
  return answer
})

/** The statements that `act` causes, in order. Nothing else may use the portal at the same time. */
export async function statementsDuring(act: () => Promise<unknown>) {
  sent = []
  await act()
  return [...sent]
}

/** The number of rows returned by each statement that `act` causes. */
export async function rowsDuring(act: () => Promise<unknown>) {
  brought = []
  await act()
  return [...brought]
}
