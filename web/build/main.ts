/**
 * Builds the pages into `web/dist`, compressed, with a list of the files; does nothing if they are up to date. Several builds may be
 * started at once: they take turns, and the first one builds.
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

/** The lock is a folder, which only one process can create. A killed process leaves it behind, so an old one is ignored. */
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
