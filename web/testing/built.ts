/** The files of the built pages, which are named by their hashes alone. */
import { fileURLToPath } from 'node:url'
import { readManifest } from '../build/manifest.ts'

/**
 * The file, such as `assets/CGg9PcGU.js`, of each part of the pages that begins with a source whose name ends like this, such as
 * `/palette.ts`. `dist` is where the pages were built.
 */
export function builtFrom(ending: string, dist = fileURLToPath(new URL('../dist/', import.meta.url))) {
  const found = Object.entries(readManifest(dist)).filter(([source]) => source.endsWith(ending))
  if (found.length === 0) throw new Error(`No part of the pages begins with ${ending}`)
  return found.map(([, { file }]) => file)
}
