/** `npm start` restarts a portal only if it ends without having been asked to. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { serversOf } from './clusters.ts'
import { until } from './portal.ts'
import { KEEPING, portals, type Running, untilHealthy } from './process.ts'

const { makeUsedFolder, startInVain, startPortal } = portals()
const skip = process.platform !== 'linux'

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
/** The serving process, a child of the one that was started. */
const portalOf = ({ child: { pid } }: Running) => Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ')[0])

/** Kills the portal and waits until its successor serves. */
async function crash(keeping: Running) {
  const before = portalOf(keeping)
  process.kill(before, 'SIGKILL')
  await until('another portal runs', () => portalOf(keeping) !== before && portalOf(keeping))
  await untilHealthy(keeping.base)
}

test('a portal that crashes is restarted after a growing pause, and a stop still stops it', { skip }, async () => {
  const DATA_DIR = await makeUsedFolder()
  const keeping = await startPortal({ DATA_DIR, PORT: '0' }, KEEPING)
  const port = String(keeping.port)
  assert.equal((await keeping.stop()).code, 0)
  const again = await startPortal({ DATA_DIR, PORT: port }, KEEPING)
  await crash(again)
  await crash(again)
  const { code, err } = await again.stop()
  const restartLine = /^Bawaba ended \(it was killed by SIGKILL\); starting it again in (\d+) ms$/gm
  assert.deepEqual([code, serversOf(DATA_DIR)], [0, []])
  assert.equal([...err.matchAll(restartLine)].length, 2)
})

test('a portal that was asked to stop is not restarted', { skip }, async () => {
  const keeping = await startPortal({ DATA_DIR: await makeUsedFolder() }, KEEPING)
  process.kill(portalOf(keeping), 'SIGTERM')
  assert.deepEqual([(await keeping.ended).code, keeping.printed.err], [0, ''])
})

test('a start that fails because of its configuration is not retried, and its exit code is passed on', async () => {
  const { code, err } = await startInVain({ PORT: '70000' }, KEEPING)
  assert.deepEqual([code, err], [1, 'Bawaba cannot start: PORT: got "70000", takes a whole number from 0 to 65535\n'])
})

test('killing the supervisor ends the portal, too', { skip }, async () => {
  const DATA_DIR = await makeUsedFolder()
  const keeping = await startPortal({ DATA_DIR }, KEEPING)
  const portal = portalOf(keeping)
  await keeping.stop('SIGKILL')
  await until('the portal is gone', () => !isAlive(portal))
  assert.deepEqual(serversOf(DATA_DIR), [])
})
