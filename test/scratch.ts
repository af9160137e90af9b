/** The folder for the tests' databases, in memory where possible: they create and delete many thousands of files. */
import { accessSync, constants, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

const MEMORY = '/dev/shm'
const ENOUGH_BYTES = 4 * 1024 ** 3

function isRoomy(folder: string) {
  try {
    accessSync(folder, constants.W_OK)
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize >= ENOUGH_BYTES
  } catch {
    return false
  }
}

export const scratch = process.env['TMPDIR'] || (isRoomy(MEMORY) ? MEMORY : tmpdir())
