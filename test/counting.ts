/** The statements that the portal of a test sends to the database. */
import { mock } from 'node:test'
import pg from 'pg'

/** What the portal does by itself: reading events, handing over, looking whether the database lives, loading who comes first. */
const asides = /^(events_|why_ended|touch_sessions|hand_over|load_actors)|^select$|bawaba_events/
let sent: string[] = []
const send = pg.Client.prototype.query as (...parts: unknown[]) => unknown
mock.method(pg.Client.prototype, 'query', function (this: { connectionParameters: Record<string, unknown> }, ...parts: unknown[]) {
  const { name = '', text } = typeof parts[0] === 'string' ? { text: parts[0] } : (parts[0] as { name?: string; text: string })
  const isOwn = this.connectionParameters['application_name'] === 'bawaba'
  if (isOwn && !asides.test(name) && !asides.test(text)) sent.push(text.replace(/\s+/g, ' ').trim())
  return send.apply(this, parts)
})

/** Those that `act` causes, in order; nothing else may ask meanwhile. */
export async function statementsDuring(act: () => Promise<unknown>) {
  sent = []
  await act()
  return [...sent]
}
