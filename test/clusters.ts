/** Embedded databases in their own folders, run by this or another process and removed after each test. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach } from 'node:test'
import pg from 'pg'
import { findServers } from '../server/platform/postgres/processes.ts'
import { type Postgres, startPostgres } from '../server/platform/postgres/server.ts'
import { copyPrepared } from './prepared.ts'
import { scratch } from './scratch.ts'

export const clusterOf = (folder: string) => join(folder, 'postgres')
export const serversOf = (folder: string) => findServers(clusterOf(folder))
export const lockFileOf = (folder: string) => join(clusterOf(folder), 'postmaster.pid')
export const readPostmaster = (folder: string) => Number.parseInt(readFileSync(lockFileOf(folder), 'utf8'), 10)

/** Copies a stopped cluster into the folder, because creating one takes longer than most tests. */
export const copyCluster = (folder: string) => copyPrepared('cluster', async (prepared) => (await startPostgres(prepared)).stop(), folder)

/** Queries as the owner of the database. */
export async function query({ owner }: Pick<Postgres, 'owner'>, text: string) {
  const client = new pg.Client(owner)
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query({ text, rowMode: 'array' })).rows as unknown[][]
  } finally {
    await client.end().catch(() => {})
  }
}

export const answers = (postgres: Postgres) =>
  query(postgres, 'SELECT 1').then(
    () => true,
    () => false,
  )

export async function killHard(child: ChildProcess) {
  child.kill('SIGKILL')
  await once(child, 'exit')
}

const serverModule = import.meta.resolve('../server/platform/postgres/server.ts')

export function clusters() {
  const made: string[] = []
  const running = new Set<Postgres>()
  const children = new Set<ChildProcess>()

  afterEach(async () => {
    for (const child of children) child.kill('SIGKILL')
    for (const postgres of running) await postgres.stop()
    for (const folder of made) rmSync(folder, { recursive: true, force: true })
    children.clear()
    running.clear()
    made.length = 0
  })

  /** Starts Node with these arguments and kills it after the test. */
  function spawnNode(...args: string[]) {
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    children.add(child)
    return child
  }

  /** Starts another process that runs `code`, in which `startPostgres` and `folder` are defined. */
  function runElsewhere(folder: string, code: string) {
    const script = `import { startPostgres } from ${JSON.stringify(serverModule)}
      const folder = ${JSON.stringify(folder)}
      ${code}`
    return spawnNode('--input-type=module', '-e', script)
  }

  /** A new folder, which every account may enter unless `mode` says otherwise. */
  function makeFolder(mode = 0o711) {
    const folder = mkdtempSync(join(scratch, 'bawaba-test-'))
    chmodSync(folder, mode)
    made.push(folder)
    return folder
  }

  return {
    makeFolder,
    makeCluster: () => copyCluster(makeFolder()),
    async start(...options: Parameters<typeof startPostgres>) {
      const postgres = await startPostgres(...options)
      running.add(postgres)
      return postgres
    },
    spawnNode,
    runElsewhere,
    async startElsewhere(folder: string) {
      const child = runElsewhere(folder, 'console.log(JSON.stringify(await startPostgres(folder)))')
      const [line] = await Promise.race([once(child.stdout!, 'data'), once(child, 'exit')])
      return { child, ...(JSON.parse(line) as Pick<Postgres, 'connection' | 'owner'>) }
    },
  }
}
