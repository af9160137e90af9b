/**
 * Builds the pages into `web/dist`, compressed, with a list of what is there; does nothing where they are built from these very sources.
 * Several may be started at once: they take turns, and the first builds.
 */
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { mkdir, readFile, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { sourcesHash } from './sources.ts'

const dist = fileURLToPath(new URL('../dist/', import.meta.url))
const lock = fileURLToPath(new URL('../../node_modules/.cache/bawaba-pages.lock', import.meta.url))
const LONGEST_MS = 120_000
const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('base64')

/** Of each inline script of the page, what a content security policy allows it by. */
const inlineScripts = (page: string) =>
  Array.from(page.matchAll(/<script>([\s\S]*?)<\/script>/g), ([, text]) => `'sha256-${sha256(text!)}'`)

const compressible = /\.(html|js|css|svg|json|webmanifest|txt)$/
const brotli = promisify(brotliCompress)
const gzipped = promisify(gzip)

async function compress(file: string) {
  const bytes = await readFile(join(dist, file))
  if (!compressible.test(file)) return
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }
  await writeFile(join(dist, `${file}.br`), await brotli(bytes, quality))
  await writeFile(join(dist, `${file}.gz`), await gzipped(bytes, { level: 9 }))
}

/** A folder is made by one process only. It is left behind by one that was killed, and then older than a build takes. */
async function alone<T>(act: () => Promise<T>): Promise<T> {
  await mkdir(dirname(lock), { recursive: true })
  for (;;) {
    try {
      await mkdir(lock)
      break
    } catch {
      const { mtimeMs } = await stat(lock).catch(() => ({ mtimeMs: Date.now() }))
      if (Date.now() - mtimeMs > LONGEST_MS) await rmdir(lock).catch(() => {})
      else await pause(100)
    }
  }
  try {
    return await act()
  } finally {
    await rmdir(lock)
  }
}

interface Chunk {
  file: string
  css?: string[]
}

/** The room most people come to is asked for with the page, and not only once the page's script runs. */
async function preloadHome() {
  const { 'home/page.tsx': home } = JSON.parse(await readFile(join(dist, '.vite/manifest.json'), 'utf8')) as Record<string, Chunk>
  const { file, css = [] } = home!
  const links = [
    `<link rel="modulepreload" crossorigin href="./${file}">`,
    ...css.map((one) => `<link rel="stylesheet" crossorigin href="./${one}">`),
  ]
  const page = await readFile(join(dist, 'index.html'), 'utf8')
  await writeFile(join(dist, 'index.html'), page.replace('</head>', `  ${links.join('\n    ')}\n  </head>`))
}

const isBuilt = (hash: string) =>
  existsSync(join(dist, 'built.json')) && JSON.parse(readFileSync(join(dist, 'built.json'), 'utf8')).hash === hash

async function run() {
  const hash = sourcesHash()
  if (isBuilt(hash)) return
  const { build } = await import('vite')
  const { configOf } = await import('./vite.ts')
  await rm(join(dist, 'built.json'), { force: true })
  await build(configOf(hash))
  await preloadHome()
  const files = globSync('**/*', { cwd: dist, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(dist.length))
    .filter((file) => !file.startsWith('.vite/'))
    .toSorted()
  await Promise.all(files.map(compress))
  const scripts = inlineScripts(readFileSync(join(dist, 'index.html'), 'utf8'))
  await writeFile(join(dist, 'built.json.part'), JSON.stringify({ hash, scripts, files }, null, 1))
  // Last, and at once: what is half built is not there.
  await rename(join(dist, 'built.json.part'), join(dist, 'built.json'))
}

await alone(run)
