/** The gzipped sizes of the pages and their budgets: `npm run pages:measure` prints them, a test checks them. */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { report } from './budgets.ts'
import { filesOfDesks, isDesk, reached, readManifest, roomsOf } from './manifest.ts'

const dist = fileURLToPath(new URL('../dist/', import.meta.url))

export interface Weight {
  what: string
  kB: number
  budget: number
}

const gzipped = (file: string) => gzipSync(readFileSync(join(dist, file)), { level: 9 }).length / 1000
const sum = (files: Iterable<string>) => [...new Set(files)].reduce((total, file) => total + gzipped(file), 0)

/** A source of the chunk that `platform/session.ts` loads while it finds out who is signed in. */
const SESSION = 'platform/listening.ts'

/**
 * Each size with its budget, in kB. A room is counted without the files loaded before it, and a page of a desk also without files that
 * other pages use.
 */
export function weigh(): Weight[] {
  const manifest = readManifest(dist)
  const scripts = (keys: Iterable<string>) => Array.from(keys, (key) => manifest[key]!.file)
  const styles = (keys: Iterable<string>) => Array.from(keys).flatMap((key) => manifest[key]!.css ?? [])
  const first = new Set([...reached(manifest, 'index.html'), ...reached(manifest, 'people/home/page.tsx')])
  const frame = reached(manifest, 'index.html')
  const before = new Set([...frame, ...reached(manifest, SESSION)])
  const besides = (key: string, present: Set<string>) => scripts([...reached(manifest, key)].filter((part) => !present.has(part)))
  const rooms = roomsOf(manifest)
  const peoples = rooms.filter((key) => !isDesk(key))
  const pages = rooms.filter(isDesk)
  const parts = new Map(rooms.map((key) => [key, reached(manifest, key)]))
  /** The files that only this page of a desk needs. Shared files are loaded once for all pages, so they do not count. */
  const aloneIn = (page: string) => [...parts.get(page)!].filter((part) => rooms.every((key) => key === page || !parts.get(key)!.has(part)))
  const desks = new Set(filesOfDesks(manifest))
  const all = globSync('assets/*.{js,css,woff2}', { cwd: dist })
  return [
    { what: 'script of the first page', kB: sum(scripts(first)), budget: 33 },
    { what: 'of it the frame', kB: sum(scripts(frame)), budget: 28.6 },
    { what: 'script that comes with the session', kB: sum(besides(SESSION, frame)), budget: 3.2 },
    ...peoples.map((key) => ({
      what: `script of ${dirname(key)}`,
      kB: sum(besides(key, before)),
      // Includes the order form, because a person who orders by keyboard types into it at once.
      budget: key.startsWith('people/services/') ? 17.3 : 16.3,
    })),
    ...pages.map((key) => ({
      what: `script of ${dirname(key)} alone`,
      kB: sum(scripts(aloneIn(key))),
      budget: key.startsWith('desks/meetings/fonts/') ? 8 : 15.4,
    })),
    { what: 'script of the rooms that every person uses', kB: sum(peoples.flatMap((key) => besides(key, before))), budget: 100.7 },
    { what: 'script in all, without the desks', kB: sum(all.filter((file) => file.endsWith('.js') && !desks.has(file))), budget: 239 },
    { what: 'script of the desks', kB: sum(all.filter((file) => file.endsWith('.js') && desks.has(file))), budget: 413.6 },
    { what: 'service worker', kB: gzipped('worker.js'), budget: 11 },
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
