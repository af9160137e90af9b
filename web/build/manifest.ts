/** Vite's manifest of the chunks: their files, and their static and dynamic imports. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

interface Part {
  file: string
  imports?: string[]
  dynamicImports?: string[]
  css?: string[]
}
/** The chunks by Vite's keys: the path of an entry's source, or `_` and the file name for a shared chunk. */
export type Manifest = Record<string, Part>

export const readManifest = (dist: string): Manifest => JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8'))

export const roomsOf = (manifest: Manifest) => Object.keys(manifest).filter((key) => key.endsWith('/page.tsx'))

/** Whether a chunk belongs to a desk or to the room of team leads, and not to a room for everybody. */
export const isDesk = (key: string) => /^(desks|people\/team)\//.test(key)

/** The keys of a chunk and of all chunks that it imports, directly or through others, with the dynamic imports that `loads` selects. */
export function reached(
  manifest: Manifest,
  key: string,
  loads: (part: Part) => string[] = () => [],
  found = new Set<string>(),
): Set<string> {
  if (found.has(key)) return found
  found.add(key)
  const part = manifest[key]!
  for (const next of [...(part.imports ?? []), ...loads(part)]) reached(manifest, next, loads, found)
  return found
}

/** The files that only the desks use. */
export function filesOfDesks(manifest: Manifest) {
  const others = reached(manifest, 'index.html', ({ dynamicImports = [] }) => dynamicImports.filter((key) => !isDesk(key)))
  const filesOf = (keys: Iterable<string>) => Array.from(keys).flatMap((key) => [manifest[key]!.file, ...(manifest[key]!.css ?? [])])
  const shared = new Set(filesOf(others))
  return new Set(filesOf(Object.keys(manifest)).filter((file) => !shared.has(file)))
}
