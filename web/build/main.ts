/**
 * Builds the pages into `web/dist`, compressed, with a list of what is there; does nothing where they are built from these very sources.
 * Several may be started at once: they take turns, and the first builds.
 */
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, rmdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { sourcesHash } from './sources.ts'

const dist = fileURLToPath(new URL('../dist/', import.meta.url))
const lock = fileURLToPath(new URL('../../node_modules/.cache/bawaba-pages.lock', import.meta.url))
const LONGEST_MS = 120_000

/** A folder is made by one process only. It is left behind by one that was killed, and then older than a build takes. */
async function alone<T>(act: () => Promise<T>): Promise<T> {
  await mkdir(dirname(lock), { recursive: true })
  for (;;) {
    try {
      await mkdir(lock)
      break
    } catch {
      const { mtimeMs } = await stat(lock).catch(() => ({ mtimeMs: Date.now() }))
      if (Date.now() - mtimeMs > LONGEST_MS) await rmdir(lock).catch(() => {})
      else await pause(100)
    }
  }
  try {
    return await act()
  } finally {
    await rmdir(lock)
  }
}

const isBuilt = (hash: string) =>
  existsSync(join(dist, 'built.json')) && JSON.parse(readFileSync(join(dist, 'built.json'), 'utf8')).hash === hash

async function run() {
  const hash = sourcesHash()
  if (isBuilt(hash)) return
  const { buildPages } = await import('./pages.ts')
  await buildPages(hash, dist)
}

await alone(run)
