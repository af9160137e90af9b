/** Builds the pages and their service worker into a folder, compressed, with a list of the files. */
import { createHash } from 'node:crypto'
import { globSync } from 'node:fs'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { build } from 'vite'
import { filesOfDesks, reached, readManifest } from './manifest.ts'
import { configOf, workerConfigOf } from './vite.ts'

const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('base64')

/** The hash of each inline script of the page, for the content security policy. */
const inlineScripts = (page: string) =>
  Array.from(page.matchAll(/<script>([\s\S]*?)<\/script>/g), ([, text]) => `'sha256-${sha256(text!)}'`)

const compressible = /\.(html|js|css|svg|json|webmanifest|txt)$/
const brotli = promisify(brotliCompress)
const gzipped = promisify(gzip)

async function compress(file: string) {
  if (!compressible.test(file)) return
  const bytes = await readFile(file)
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }
  await writeFile(`${file}.br`, await brotli(bytes, quality))
  await writeFile(`${file}.gz`, await gzipped(bytes, { level: 9 }))
}

/** Makes the page preload the most visited room with all that it imports, before the script of the page asks for it. */
async function preloadHome(dist: string) {
  const manifest = readManifest(dist)
  const asked = reached(manifest, 'index.html')
  const links = [...reached(manifest, 'people/home/page.tsx').difference(asked)].flatMap((key) => {
    const { file, css = [] } = manifest[key]!
    return [
      `<link rel="modulepreload" crossorigin href="./${file}">`,
      ...css.map((one) => `<link rel="stylesheet" crossorigin href="./${one}">`),
    ]
  })
  const page = await readFile(join(dist, 'index.html'), 'utf8')
  await writeFile(join(dist, 'index.html'), page.replace('</head>', `  ${links.join('\n    ')}\n  </head>`))
}

const filesIn = (dist: string) =>
  globSync('**/*', { cwd: dist, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(dist.length))
    .filter((file) => !file.startsWith('.vite/'))
    .toSorted()

/** Whether a file is needed to open the portal without a connection. The caller leaves out files of desks. */
const isOfShell = (file: string) => /^(assets\/.*\.(js|css|svg|woff2)|icon\.svg|icon-192\.png|manifest\.webmanifest)$/.test(file)

async function buildWorker(hash: string, dist: string) {
  const desks = filesOfDesks(readManifest(dist))
  const shell = filesIn(dist)
    .filter((file) => isOfShell(file) && !desks.has(file))
    .map(async (file) => [file, `sha256-${sha256(await readFile(join(dist, file)))}`] as const)
  await build(workerConfigOf({ build: hash, shell: Object.fromEntries(await Promise.all(shell)) }, dist))
}

/** Builds the pages of the version `hash` into `dist`, which must end with a slash and is emptied first. */
export async function buildPages(hash: string, dist: string) {
  await rm(join(dist, 'built.json'), { force: true })
  await build(configOf(hash, dist))
  await preloadHome(dist)
  await buildWorker(hash, dist)
  const files = filesIn(dist)
  await Promise.all(files.map((file) => compress(join(dist, file))))
  const scripts = inlineScripts(await readFile(join(dist, 'index.html'), 'utf8'))
  await writeFile(join(dist, 'built.json.part'), JSON.stringify({ hash, scripts, files }, null, 1))
  // The list is moved into place last, so that a half-finished build is never used.
  await rename(join(dist, 'built.json.part'), join(dist, 'built.json'))
}
