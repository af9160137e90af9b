import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { after, test } from 'node:test'
import { findServers, sendSignal, stopProcesses } from './processes.ts'

const children: ChildProcess[] = []
after(() => {
  for (const child of children) child.kill('SIGKILL')
})

/** A process that runs `onInterrupt` at SIGINT and exits with 7 at SIGUSR2, and how it ended. */
async function running(onInterrupt: string) {
  const script = `process.on('SIGUSR2', () => process.exit(7)); process.on('SIGINT', () => { ${onInterrupt} }); setInterval(() => {}, 1000); console.log('ready')`
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  children.push(child)
  const exited = once(child, 'exit')
  await once(child.stdout, 'data')
  const isRunning = () => child.exitCode === null && child.signalCode === null
  return { find: () => (isRunning() ? [child.pid!] : []), pid: child.pid!, exited }
}

test('a process that takes its time to stop is waited for', async () => {
  const { find, pid, exited } = await running('')
  let asked = 0
  const findSlow = () => {
    // The process ends only after several checks.
    if (++asked > 5) sendSignal(pid, 'SIGUSR2')
    return find()
  }
  await stopProcesses(findSlow, [
    ['SIGINT', 60_000],
    ['SIGKILL', 60_000],
  ])
  assert.deepEqual(await exited, [7, null])
})

test('a process that does not stop is sent the next signal', async () => {
  const { find, exited } = await running('')
  await stopProcesses(find, [
    ['SIGINT', 50],
    ['SIGKILL', 60_000],
  ])
  assert.deepEqual(await exited, [null, 'SIGKILL'])
})

test('a process that no signal stops causes an error', async () => {
  const { find, pid } = await running('')
  await assert.rejects(stopProcesses(find, [['SIGINT', 50]]), { message: `PostgreSQL processes ${pid} cannot be stopped` })
})

test('`sendSignal` tells that a process exists until it has ended', async () => {
  const { pid, exited } = await running('process.exit()')
  assert.equal(sendSignal(pid, 0), true)
  assert.equal(sendSignal(pid, 'SIGINT'), true)
  await exited
  assert.equal(sendSignal(pid, 0), false)
})

test('no process serves a folder that does not exist', () => assert.deepEqual(findServers('/nowhere/at/all'), []))
