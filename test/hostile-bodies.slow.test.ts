/** Bodies that cost a parser far more than their size, sent over many connections, never end the process. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Agent, request } from 'undici'
import { portals } from './process.ts'

const { makeUsedFolder, startPortal } = portals()
const CONNECTIONS = 24
const BYTES = 1024 * 1024 - 100

const filled = (lead: string, part: string, end: string) =>
  `${lead}${part.repeat(Math.floor((BYTES - lead.length - end.length) / part.length))}${end}`
const bodies = {
  'lists in lists': `${'['.repeat(BYTES / 2)}${']'.repeat(BYTES / 2)}`,
  'empty objects': filled('[', '{},', '{}]'),
  'an unknown field of empty objects': filled('{"title":"x","name":"x","more":[', '{},', '{}]}'),
}
const targets = [
  ['POST', '/notifications/read-all'],
  ['POST', '/groups'],
  ['POST', '/notes'],
  ['POST', '/auth/logout'],
  ['POST', '/nothing'],
  ['PUT', '/healthz'],
  ['POST', '/auth/login'],
] as const

test('while expensive bodies arrive over many connections, the portal stays up and answers other callers', async () => {
  const portal = await startPortal({ DATA_DIR: await makeUsedFolder(), LOG_LEVEL: 'error' })
  const admin = await portal.stranger().signIn('admin')
  const agent = new Agent({ connections: CONNECTIONS, pipelining: 1 })
  const send = async (method: 'POST' | 'PUT', path: string, cookie: string, body: string) => {
    const headers = { 'content-type': 'application/json', ...(cookie && { cookie }) }
    const answer = await request(`${portal.base}/api${path}`, { dispatcher: agent, method, headers, body }).catch(() => null)
    await answer?.body.dump()
    return answer?.statusCode ?? 0
  }
  for (const body of Object.values(bodies))
    for (const [method, path] of targets)
      for (const cookie of [admin.cookie, ''].filter((one) => path !== '/auth/logout' || !one)) {
        const sent = Array.from({ length: CONNECTIONS }, () => send(method, path, cookie, body))
        assert.equal((await portal.stranger().get('/healthz')).status, 200)
        const statuses = await Promise.all(sent)
        assert.ok(!statuses.includes(500), `${method} ${path}`)
      }
  assert.equal((await admin.get('/auth/me')).status, 200)
  assert.deepEqual([portal.child.exitCode, portal.child.signalCode], [null, null])
  await agent.destroy()
})
