/** Finds the files of the built pages, whose names are hashes. */
import { fileURLToPath } from 'node:url'
import { readManifest } from '../build/manifest.ts'

/**
 * The files, such as `assets/CGg9PcGU.js`, of all chunks whose first source ends with `ending`, such as `/palette.ts`. `dist` is the
 * folder of the build.
 */
export function builtFrom(ending: string, dist = fileURLToPath(new URL('../dist/', import.meta.url))) {
  const found = Object.entries(readManifest(dist)).filter(([source]) => source.endsWith(ending))
  if (found.length === 0) throw new Error(`No part of the pages begins with ${ending}`)
  return found.map(([, { file }]) => file)
}
