/** The portal is killed again and again while it sends: receivers and collectors miss nothing, and hear of nothing that was rolled back. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { fileCollector } from '../../../test/collector.ts'
import { type Client, PASSWORD, until } from '../../../test/portal.ts'
import { look, portals } from '../../../test/process.ts'
import { fileReceiver, WEBHOOK_ENV } from '../../../test/receiver.ts'

const { makeUsedFolder, startPortal } = portals()
const receiver = await fileReceiver()
const collector = await fileCollector()

const KILLS = 20
/** The wait in ms between a few changes and the kill; the same in every run. */
const momentOf = (kill: number) => (kill * 37) % 100
const FEW = 4

/** Makes changes until the portal is gone. */
function change(admin: Client, round: number) {
  const changing = { count: 0, ended: Promise.resolve() }
  changing.ended = (async () => {
    for (;;) {
      const isDone = await admin.post('/roles', { name: `killed_${round}_${changing.count}` }).catch(() => undefined)
      if (!isDone) return
      changing.count++
    }
  })()
  return changing
}

test('a portal that is killed twenty times tells webhooks and the collector of every committed change, and of no other', async (t) => {
  const DATA_DIR = await makeUsedFolder()
  const env = { DATA_DIR, LOG_LEVEL: 'warn', ...WEBHOOK_ENV, ...collector.env }
  let portal = await startPortal(env)
  const signIn = () => portal.stranger().signIn('admin', PASSWORD)
  const hook = { name: 'Killed', url: `${receiver.url}/killed`, types: ['role.*'] }
  assert.equal((await (await signIn()).post('/webhooks', hook)).status, 201)
  for (let kill = 0; kill < KILLS; kill++) {
    const changing = change(await signIn(), kill)
    await until('some changes', () => changing.count > kill % FEW)
    await pause(momentOf(kill))
    await portal.stop('SIGKILL')
    await changing.ended
    portal = await startPortal(env)
  }
  const made = await look<{ id: string }>(DATA_DIR, "select id from ledger where kind = 'role.created' order by id")
  const ids = made.map(({ id }) => Number(id))
  t.diagnostic(`${ids.length} changes`)
  assert.ok(ids.length > KILLS)
  const told = () => new Set(receiver.got.map(({ body }) => body.data.sequence as number))
  const streamed = () => collector.taken.filter(({ kind }) => kind === 'role.created').map(({ sequence }) => sequence as number)
  const lacks = (some: Iterable<number>) => ids.filter((id) => !new Set(some).has(id))
  await until('every change is sent', () => lacks(told()).length + lacks(streamed()).length === 0)
  for (const sequence of [...told(), ...streamed()]) assert.ok(ids.includes(sequence), `${sequence} was rolled back`)
})
