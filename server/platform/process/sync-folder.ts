import { open } from 'node:fs/promises'

/** Syncs a folder, so that the names in it survive a power failure. */
export async function syncFolder(folder: string) {
  const handle = await open(folder)
  await handle.sync().finally(() => handle.close())
}
