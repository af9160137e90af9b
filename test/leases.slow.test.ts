/** A person’s open streams and uploads are counted over all instances; those of a killed instance no longer count. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Client, PASSWORD, until } from './portal.ts'
import { portals } from './process.ts'

const { makeFolder, makeMigratedDatabase, startPortal } = portals()

/** A client of a person at another instance. */
const at = (base: string, { cookie }: Client) => Object.assign(new Client(base), { cookie })
const open = (who: Client, streams: number) => Promise.all(Array.from({ length: streams }, () => who.listen()))
const statusesOf = (streams: { status: number }[]) => streams.map(({ status }) => status).sort()
const isRefused = async (who: Client) => (await who.get('/events')).status === 429

test('after one of two processes is killed, its streams no longer count', async () => {
  const { url } = await makeMigratedDatabase()
  const env = { DATABASE_URL: url, DATA_DIR: makeFolder(), ADMIN_PASSWORD: PASSWORD }
  const [killed, other] = [await startPortal(env), await startPortal(env)]
  const admin = await killed.stranger().signIn('admin')
  const elsewhere = at(other.base, admin)
  assert.deepEqual(statusesOf([...(await open(admin, 12)), ...(await open(elsewhere, 8))]), Array(20).fill(200))
  assert.ok(await isRefused(elsewhere))
  await killed.stop('SIGKILL')
  const more = await until('there is room', async () => {
    const [stream] = await open(elsewhere, 1)
    return stream!.status === 200 ? [stream!] : null
  })
  more.push(...(await open(elsewhere, 12)))
  assert.deepEqual(statusesOf(more), [...Array(12).fill(200), 429])
})
