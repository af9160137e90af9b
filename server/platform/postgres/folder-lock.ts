import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

const SQLITE_BUSY = 5

/**
 * Locks the folder for this process and returns the function that unlocks it; throws an error of one line if another process has it.
 * The lock is SQLite's exclusive lock on an empty file: the kernel grants it to one process at a time and releases it when that
 * process dies, however it dies.
 */
export function lockFolder(folder: string) {
  const file = join(folder, 'portal.lock')
  try {
    createPrivately(file)
    const lock = new DatabaseSync(file)
    lock.exec('BEGIN EXCLUSIVE')
    return () => lock.close()
  } catch (error) {
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY)
      throw new Error(`another portal is running on ${folder}; stop it first, or give this one another DATA_DIR`)
    throw new Error(`${file} cannot be locked: ${(error as Error).message}`)
  }
}

/**
 * Creates the file if it is missing. Never opens an existing file: closing any descriptor of it would release a lock that this process
 * already holds.
 */
function createPrivately(file: string) {
  try {
    closeSync(openSync(file, 'wx', 0o600))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}
