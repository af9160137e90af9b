/** Folders that are prepared once per run and copied for each file. */
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { until } from './client.ts'
import { sharedFolder } from './setup.ts'

/** Makes a folder; returns whether it is new. */
function isFirst(folder: string) {
  try {
    mkdirSync(folder)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return false
  }
}

/** Copies the prepared folder of this name into `folder`; the first test file that asks prepares it. */
export async function copyPrepared(name: string, prepare: (folder: string) => Promise<unknown>, folder: string) {
  const prepared = join(sharedFolder(), name)
  const ready = `${prepared}.ready`
  if (isFirst(prepared)) {
    chmodSync(prepared, 0o711)
    await prepare(prepared)
    writeFileSync(ready, '')
  }
  await until('a file of tests has prepared the folder', () => existsSync(ready))
  // Node's own copy loses modes and owners, which PostgreSQL checks.
  execFileSync('cp', ['-a', '--reflink=auto', `${prepared}/.`, folder])
  return folder
}
