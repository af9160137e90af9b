/** What Vite says of the parts of the pages: their files, and which part needs or loads which. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

interface Part {
  file: string
  imports?: string[]
  dynamicImports?: string[]
  css?: string[]
}
/** By the name of the source that a part begins with. */
export type Manifest = Record<string, Part>

export const readManifest = (dist: string): Manifest => JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8'))

export const roomsOf = (manifest: Manifest) => Object.keys(manifest).filter((key) => key.endsWith('/page.tsx'))

/** Whether a part is a desk of administrators or executives, and no room that every person uses. */
export const isDesk = (key: string) => /^(admin|meetings)\//.test(key)

/** A part with all that it needs; with what `loads` tells that it loads later, too. */
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

/** The files that the desks alone use. */
export function filesOfDesks(manifest: Manifest) {
  const others = reached(manifest, 'index.html', ({ dynamicImports = [] }) => dynamicImports.filter((key) => !isDesk(key)))
  const filesOf = (keys: Iterable<string>) => Array.from(keys).flatMap((key) => [manifest[key]!.file, ...(manifest[key]!.css ?? [])])
  const shared = new Set(filesOf(others))
  return new Set(filesOf(Object.keys(manifest)).filter((file) => !shared.has(file)))
}
