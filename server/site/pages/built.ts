/** The built pages: read once, with their compressed copies, and rebuilt when their sources have changed. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const web = fileURLToPath(new URL('../../../web/', import.meta.url))
const dist = join(web, 'dist')

interface List {
  /** A hash of the sources; the name of the version. */
  hash: string
  /** The hashes by which a content security policy allows the page's own inline scripts. */
  scripts: string[]
  files: string[]
}

/** A file in each available encoding. */
export interface BuiltFile {
  type: string
  bytes: Buffer
  br?: Buffer
  gzip?: Buffer
}

export interface BuiltPages {
  hash: string
  scripts: string[]
  files: Map<string, BuiltFile>
}

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.mp3': 'audio/mpeg',
  '.ogg': 'audio/ogg',
  '.wav': 'audio/wav',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
}

function readList(folder: string): List | undefined {
  const file = join(folder, 'built.json')
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
}
const readIf = (file: string) => (existsSync(file) ? readFileSync(file) : undefined)

/** The pages in a folder, by default `web/dist`; undefined if none are built. */
export function readBuiltPages(folder = dist): BuiltPages | undefined {
  const list = readList(folder)
  if (!list) return undefined
  const files = new Map<string, BuiltFile>()
  for (const name of list.files) {
    const file = join(folder, name)
    const type = types[extname(name)] ?? 'application/octet-stream'
    files.set(name, { type, bytes: readFileSync(file), br: readIf(`${file}.br`), gzip: readIf(`${file}.gz`) })
  }
  return { hash: list.hash, scripts: list.scripts, files }
}

/** Whether Vite, which is a development dependency, is installed. */
function canBuild() {
  try {
    createRequire(import.meta.url).resolve('vite')
    return true
  } catch {
    return false
  }
}

/**
 * Builds the pages unless they are up to date; `say` receives progress. Without the tools to build them, existing pages are served; without
 * any, the portal serves only the API. Throws if the build fails.
 */
export async function ensurePages(say: (line: string) => void) {
  const list = readList(dist)
  const program = join(web, 'build/main.ts')
  if (!existsSync(program) || !canBuild()) {
    if (!list) say('There are no pages in web/dist, and nothing to build them with (npm ci without --omit=dev): only calls are answered')
    return
  }
  const { sourcesHash } = await import('../../../web/build/sources.ts')
  if (list?.hash === sourcesHash()) return
  say('Building the pages, once after each change of web/')
  const building = spawn(process.execPath, [program], { stdio: ['ignore', 'inherit', 'inherit'] })
  const [code] = await once(building, 'exit')
  if (code !== 0) throw new Error('the pages could not be built')
}
