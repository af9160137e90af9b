/**
 * Builds the pages into `web/dist`, compressed, with a list of the files. Does nothing if they are up to date. If several builds start at
 * once, the first one builds, and the rest wait and find the pages up to date.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inTurn } from './in-turn.ts'
import { sourcesHash } from './sources.ts'

const dist = fileURLToPath(new URL('../dist/', import.meta.url))

const isBuilt = (hash: string) =>
  existsSync(join(dist, 'built.json')) && JSON.parse(readFileSync(join(dist, 'built.json'), 'utf8')).hash === hash

async function run() {
  const hash = sourcesHash()
  if (isBuilt(hash)) return
  const { buildPages } = await import('./pages.ts')
  await buildPages(hash, dist)
}

await inTurn(run)
