/** Runs builds one at a time across processes. */
import { mkdir, rmdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const lock = fileURLToPath(new URL('../../node_modules/.cache/bawaba-pages.lock', import.meta.url))
const LONGEST_MS = 120_000

/** The lock is a folder, which only one process can create. A killed process leaves its lock behind, so an old lock is removed. */
export async function inTurn<T>(act: () => Promise<T>): Promise<T> {
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
