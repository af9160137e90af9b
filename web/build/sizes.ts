/** What the pages weigh, gzip, against the budgets of the plan: `npm run pages:measure` prints it, a test holds it. */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { report } from './budgets.ts'

const dist = fileURLToPath(new URL('../dist/', import.meta.url))

interface Chunk {
  file: string
  imports?: string[]
  css?: string[]
}

export interface Weight {
  what: string
  kB: number
  budget: number
}

const gzipped = (file: string) => gzipSync(readFileSync(join(dist, file)), { level: 9 }).length / 1000
const sum = (files: Iterable<string>) => [...new Set(files)].reduce((total, file) => total + gzipped(file), 0)

/** Each budget with what is spent of it, in kB; of the rooms the heaviest. */
export function weigh(): Weight[] {
  const manifest = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8')) as Record<string, Chunk>
  const reached = (key: string, found = new Set<string>()): Set<string> => {
    if (found.has(key)) return found
    found.add(key)
    for (const next of manifest[key]!.imports ?? []) reached(next, found)
    return found
  }
  const scripts = (keys: Iterable<string>) => Array.from(keys, (key) => manifest[key]!.file)
  const styles = (keys: Iterable<string>) => Array.from(keys).flatMap((key) => manifest[key]!.css ?? [])
  const first = new Set([...reached('index.html'), ...reached('home/page.tsx')])
  const rooms = Object.keys(manifest).filter((key) => key.endsWith('/page.tsx'))
  const weights = rooms.map((key) => {
    const own = [...reached(key)].filter((part) => !reached('index.html').has(part))
    return { what: dirname(key), kB: sum(scripts(own)) }
  })
  const heaviest = weights.toSorted((one, other) => other.kB - one.kB)[0]!
  const all = globSync('assets/*.{js,css,woff2}', { cwd: dist })
  return [
    { what: 'script of the first page', kB: sum(scripts(first)), budget: 35 },
    { what: `script of the heaviest room (${heaviest.what})`, kB: heaviest.kB, budget: 15 },
    { what: 'script in all', kB: sum(all.filter((file) => file.endsWith('.js'))), budget: 150 },
    { what: 'service worker', kB: gzipped('worker.js'), budget: 8 },
    { what: 'style of the first page', kB: sum(styles(first)), budget: 12 },
    {
      what: 'fonts',
      kB: all.filter((file) => file.endsWith('.woff2')).reduce((total, file) => total + readFileSync(join(dist, file)).length / 1000, 0),
      budget: 90,
    },
  ]
}

if (import.meta.main) {
  if (!existsSync(join(dist, 'built.json'))) throw new Error('npm run pages builds them first')
  report(weigh().map(({ what, kB, budget }) => ({ what, value: kB, budget, unit: 'kB' })))
}
