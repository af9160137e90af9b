/**
 * Builds the pages into `web/dist`, compressed, with a list of what is there; does nothing where they are built from these very sources.
 * `--if-needed` is what `npm start` runs.
 */
import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { sourcesHash } from './sources.ts'

const dist = fileURLToPath(new URL('../dist/', import.meta.url))
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

async function run() {
  const hash = sourcesHash()
  const { build } = await import('vite')
  const { configOf } = await import('./vite.ts')
  await rm(join(dist, 'built.json'), { force: true })
  await build(configOf(hash))
  const files = globSync('**/*', { cwd: dist, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(dist.length))
    .toSorted()
  await Promise.all(files.map(compress))
  const scripts = inlineScripts(readFileSync(join(dist, 'index.html'), 'utf8'))
  await writeFile(join(dist, 'built.json.part'), JSON.stringify({ hash, scripts, files }, null, 1))
  // Last, and at once: what is half built is not there.
  await rename(join(dist, 'built.json.part'), join(dist, 'built.json'))
}

await run()
