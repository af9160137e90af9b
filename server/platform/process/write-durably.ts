import { rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { syncFolder } from './sync-folder.ts'

/** Writes a file that only its owner may read, completely or not at all, so that it survives a power failure. */
export async function writeDurably(file: string, text: string) {
  await writeFile(`${file}.new`, text, { mode: 0o600, flush: true })
  await rename(`${file}.new`, file)
  await syncFolder(dirname(file))
}
