/** `npm start`: starts the portal, and restarts it if it ends without being asked to. Loads no code of the portal. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { type Running, supervise } from './platform/process/supervise.ts'

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url))

interface Ended {
  code: number | null
  signal: NodeJS.Signals | null
}

const stopping = new AbortController()
/** The signal that asks this process to stop. */
let stopSignal: NodeJS.Signals = 'SIGTERM'
let last: Ended = { code: 0, signal: null }
let isRunning = false
/** A portal that was ready once is always restarted, because its configuration was right. */
let wasReady = false

const isStopOrRefusal = ({ code, signal }: Ended) => signal === null && (code === 0 || !wasReady)

function start(): Running {
  const child = spawn(process.execPath, [...process.execArgv, MAIN], { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] })
  isRunning = true
  child.on('message', () => {
    wasReady = true
  })
  const ended = once(child, 'exit').then(([code, signal]) => {
    last = { code, signal }
    isRunning = false
    if (isStopOrRefusal(last)) stopping.abort()
    return signal ? `it was killed by ${signal}` : `it exited with code ${code}`
  })
  return {
    ended,
    async stop() {
      child.kill(stopSignal)
      await ended
    },
  }
}

for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
  process.on(signal, () => {
    stopSignal = signal
    if (!isRunning) last = { code: 0, signal: null }
    stopping.abort()
  })
// Standard error may be closed, which must not end this process.
process.stderr.on('error', () => {})

const { ended } = supervise(
  start(),
  async () => start(),
  stopping.signal,
  (ending, pauseMs) => console.error(`Bawaba ended (${ending}); starting it again in ${pauseMs} ms`),
)
await ended
if (last.signal) {
  process.removeAllListeners(last.signal)
  process.kill(process.pid, last.signal)
}
process.exitCode = last.code ?? 1
