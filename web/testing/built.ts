/** The files of the built pages, whose names are hashes. */
import { fileURLToPath } from 'node:url'
import { readManifest } from '../build/manifest.ts'

/**
 * The file, such as `assets/CGg9PcGU.js`, of each chunk whose first source has a name with this ending, such as `/palette.ts`. `dist` is
 * the folder of the build.
 */
export function builtFrom(ending: string, dist = fileURLToPath(new URL('../dist/', import.meta.url))) {
  const found = Object.entries(readManifest(dist)).filter(([source]) => source.endsWith(ending))
  if (found.length === 0) throw new Error(`No part of the pages begins with ${ending}`)
  return found.map(([, { file }]) => file)
}
