/** Endpoints that resolve to an internal address when a push is due, but did not when the browser subscribed. */
import assert from 'node:assert/strict'
import { promises as dns } from 'node:dns'
import { after, mock, test } from 'node:test'
import pino from 'pino'
import { pushPortal } from '../../../test/push-service.ts'

/** Names that look public but resolve to internal addresses; the fake name server knows only these. */
const inside: Record<string, { resolve4: string[]; resolve6: string[] }> = {
  'private.example.org': { resolve4: ['127.0.0.1'], resolve6: [] },
  'both.example.org': { resolve4: ['8.8.8.8', '127.0.0.1'], resolve6: [] },
  'mapped.example.org': { resolve4: [], resolve6: ['::ffff:127.0.0.1'] },
}
for (const method of ['resolve4', 'resolve6'] as const)
  mock.method(dns.Resolver.prototype, method, async (hostname: string) => {
    const found = inside[hostname]?.[method]
    if (!found?.length) throw Object.assign(new Error(`${method} ENOTFOUND ${hostname}`), { code: 'ENOTFOUND' })
    return found
  })
after(() => mock.restoreAll())

const lines: string[] = []
const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) })
const { service, portal, make, subscribe, notify, settled } = await pushPortal({}, log)

const rows = () => portal.sql('select * from push_subscriptions order by id')
const changes = () => portal.sql(`select from ledger where kind like 'push.%'`)

/** A person with an endpoint on this host. */
async function readerAt(host: string) {
  const person = await make.newPerson()
  const { subscription } = service.newBrowser()
  const { port, pathname } = new URL(subscription.endpoint)
  const usual = `https://push.example.org${pathname}`
  await subscribe(person, { subscription: { ...subscription, endpoint: usual } })
  const endpoint = host.includes('example.org') ? `https://${host}${pathname}` : `https://${host}:${port}${pathname}`
  await portal.meddle('user', person.id, `update push_subscriptions set endpoint = '${endpoint}' where endpoint = '${usual}'`)
  return person
}

for (const host of [
  ...Object.keys(inside),
  'push.example.org:8443',
  'localhost',
  '127.0.0.1',
  '[::1]',
  '[::ffff:7f00:1]',
  'machine.internal',
  '10.0.0.1',
])
  test(`no connection is made to ${host}: the push is abandoned with one line in the log, and the subscription stays`, async () => {
    const person = await readerAt(host)
    const [before, recorded, logged] = [await rows(), await changes(), lines.length]
    await notify(person)
    await settled()
    assert.deepEqual([await rows(), await changes()], [before, recorded])
    assert.equal(service.timesConnected(), 0)
    const logLines = lines.slice(logged).map((line) => JSON.parse(line))
    assert.deepEqual(
      logLines.filter(({ level }) => level >= 40).map(({ msg, host: name, status }) => [msg, name, status]),
      [['a push was abandoned', host.replace(':8443', ''), 'refused']],
    )
  })
