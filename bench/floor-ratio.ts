/** Compares the portal with a bare server that sends the same bytes: the ratio of their throughputs. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import autocannon from 'autocannon'
import { freePort } from '../test/free-port.ts'
import { median, note } from './figures.ts'
import { type BenchPortal, startProcess, stop } from './portal.ts'

const CONNECTIONS = 64
const SECONDS = 4
const ROUNDS = 5

/** Paths of the portal, the headers of the callers who request them in turn, and the least share of the floor's throughput. */
export interface Asked {
  paths: string[]
  callers: Record<string, string>[]
  /** A description of the calls, for the name of the figure. */
  by?: string
  /** The addresses of several instances, which share the connections; without them, those of the portal. */
  bases?: string[]
  atLeast?: number
}

async function record({ base, dataDir }: BenchPortal, { paths, callers }: Asked) {
  const answers = []
  for (const path of paths) {
    const response = await fetch(base + path, { headers: callers[0]! })
    const headers = [...response.headers].filter(([name]) => !['date', 'connection', 'keep-alive'].includes(name))
    answers.push({ path, headers, body: await response.text() })
  }
  const file = join(dataDir, 'answers.json')
  await writeFile(file, JSON.stringify(answers))
  return { file, sizes: answers.map(({ body }) => Buffer.byteLength(body)) }
}

async function loadOne(url: string, connections: number, path: string, callers: Asked['callers']) {
  const requests = callers.map((headers) => ({ method: 'GET' as const, path, headers }))
  const result = await autocannon({ url, connections, duration: SECONDS, requests })
  const refused = JSON.stringify(result.statusCodeStats)
  if (result.non2xx || result.errors) throw new Error(`${path}: ${result.non2xx} refused (${refused}), ${result.errors} failed`)
  return { perSecond: result.requests.average, p99: result.latency.p99 }
}

type Load = Awaited<ReturnType<typeof load>>
async function load(bases: string[], path: string, callers: Asked['callers']) {
  const loads = await Promise.all(bases.map((base) => loadOne(base, CONNECTIONS / bases.length, path, callers)))
  return {
    perSecond: loads.reduce((sum, one) => sum + one.perSecond, 0),
    p99: Math.max(...loads.map(({ p99 }) => p99)),
  }
}

/**
 * Prints the figures; returns whether each path meets its target. Alternates the two servers, so that a change in the machine's speed
 * affects both, and takes the medians of the rounds.
 */
export async function compareWithFloor(portal: BenchPortal, asked: Asked) {
  const port = await freePort()
  const { file, sizes } = await record(portal, asked)
  const floor = await startProcess('node', ['bench/floor.ts'], { FLOOR_PORT: String(port), FLOOR_ANSWERS: file }, /ready/)
  const bases = asked.bases ?? [portal.base]
  let holds = true
  try {
    for (const [n, path] of asked.paths.entries()) {
      await load(bases, path, asked.callers)
      const rounds: { bare: Load; ours: Load }[] = []
      for (let round = 0; round < ROUNDS; round++)
        rounds.push({
          bare: await load([`http://127.0.0.1:${port}`], path, asked.callers),
          ours: await load(bases, path, asked.callers),
        })
      const name = `GET ${path.replace(/\/\d+/, '/:id')}, ${(sizes[n]! / 1000).toFixed(1)} kB${asked.by ? `, by ${asked.by}` : ''}`
      const perSecond = { rounds: rounds.map(({ ours }) => ours.perSecond), floor: rounds.map(({ bare }) => bare.perSecond) }
      holds = note({ what: name, unit: '/s', ...perSecond, ...(asked.atLeast && { atLeast: asked.atLeast }) }) && holds
      console.log(`  p99 ${median(rounds.map(({ ours }) => ours.p99))} ms, floor ${median(rounds.map(({ bare }) => bare.p99))} ms`)
    }
  } finally {
    await stop(floor.child)
  }
  return holds
}
