/** Rules of the pages: allowed imports, and the direction of styles and texts. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { test } from 'node:test'
import { importsIn } from './graph.ts'

const root = join(import.meta.dirname, '..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const files = globSync('web/**/*.{ts,tsx}', { cwd: root, exclude: (name) => name === 'dist' })
  .filter((file) => !file.includes('/dist/'))
  .toSorted()
const styles = globSync('web/**/*.css', { cwd: root }).filter((file) => !file.includes('/dist/'))
const folderOf = (file: string) => file.split('/')[1]!
const isRoom = (file: string) => ['people', 'desks'].includes(folderOf(file))
/**
 * The folder of a room, of one page of a desk, or of the parts that the pages of a desk share. Files of the desk itself have the desk's
 * folder.
 */
const roomOf = (file: string) => dirname(file).split('/').slice(0, 4).join('/')
const desks = files.filter((file) => basename(file) === 'desk.tsx').map(dirname)
const deskOf = (file: string) => desks.find((desk) => file.startsWith(`${desk}/`))
const sources = files.filter((file) => !file.endsWith('.spec.ts') && !['build', 'testing', 'fonts'].includes(folderOf(file)))
const importsOf = (file: string) =>
  [
    ...importsIn(file, read(file)).map(({ to }) => to),
    ...Array.from(read(file).matchAll(/^import '([^']+)'$/gm), ([, name]) => name!),
  ].filter((to) => to.startsWith('web/'))

const linesWith = (some: string[], pattern: RegExp) =>
  some.flatMap((file) =>
    read(file)
      .split('\n')
      .flatMap((line, index) => (pattern.test(line) ? [`${file}:${index + 1} ${line.trim()}`] : [])),
  )

test('a room imports only the platform, parts, frame and other rooms’ public files; a page of a desk also the desk’s shared files', () => {
  const wrong = sources.filter(isRoom).flatMap((file) =>
    importsOf(file)
      .filter((to) => {
        const desk = deskOf(file)
        const isShared = desk && (to === `${desk}/texts.ts` || roomOf(to) === `${desk}/shared`)
        const isLent =
          ['platform', 'parts', 'frame'].includes(folderOf(to)) || /^web\/(desk-)?addresses\.ts$/.test(to) || basename(to) === 'data.ts'
        return roomOf(to) !== roomOf(file) && !isLent && !isShared && !(file === `${desk}/routes.ts` && basename(to) === 'page.tsx')
      })
      .map((to) => `${file} imports ${to}`),
  )
  assert.deepEqual(wrong, [])
})

test('a desk loads a page only when it is opened', () => {
  const early = desks.flatMap((desk) =>
    Array.from(read(`${desk}/routes.ts`).matchAll(/^import .*page\.tsx'$/gm), ([line]) => `${desk}/routes.ts: ${line}`),
  )
  assert.deepEqual(early, [])
})

test('the platform imports neither parts nor frame, the parts import no frame, and none of them imports a room', () => {
  const may: Record<string, string[]> = { platform: ['platform'], parts: ['platform', 'parts'], frame: ['platform', 'parts', 'frame'] }
  const wrong = sources
    .filter((file) => folderOf(file) in may)
    .flatMap((file) =>
      importsOf(file)
        .filter((to) => to.split('/').length > 2 && !may[folderOf(file)]!.includes(folderOf(to)))
        .map((to) => `${file} imports ${to}`),
    )
  assert.deepEqual(wrong, [])
})

test('styles use logical properties only', () => {
  assert.ok(styles.length > 3)
  const physical =
    /(?<![\w-])(left|right|(margin|padding|border|inset)-(left|right|top|bottom)|(text-align|float|clear):\s*(left|right)|(min-|max-)?(width|height)\s*:)/
  assert.deepEqual(
    linesWith(styles, physical).filter(
      (line) => !/@(media|container)[^{]*$/.test(line) && !/@(media|container) \((max|min)-width/.test(line),
    ),
    [],
  )
})

test('components contain no literal texts', () => {
  const components = sources.filter((file) => file.endsWith('.tsx'))
  assert.deepEqual(linesWith(components, /[\u0600-\u06FF]/), [])
  // Words between tags, or in an attribute that screen readers announce.
  assert.deepEqual(linesWith(components, /^\s*[A-Z][a-z]+( [a-z]+)+[.!?]?\s*$|(aria-label|title|placeholder|alt)="[^"]+"/), [])
})

test('no file is longer than 300 lines, and none contains a to-do or a suppressed check', () => {
  assert.deepEqual(
    files.filter((file) => read(file).split('\n').length > 301),
    [],
  )
  assert.deepEqual(linesWith(files, /\b(TO[D]O|FIX[M]E|XX[X])\b|\bas an[y]\b|\bas never\b|@ts-(ignor[e]|nochec[k])/), [])
})

test('a number in a text has the digits of its reader', () => {
  const raw = sources
    .filter((file) => /texts[\w-]*\.ts$/.test(file))
    .flatMap((file) => {
      const entries = read(file).split(/^(?= +\w+: )/m)
      const numeric = entries.flatMap((entry) => {
        const [, key, parameters] = /^ +(\w+): \(([^)]*: number[^)]*)\) =>/.exec(entry) ?? []
        return Array.from(parameters?.matchAll(/(\w+): number/g) ?? [], ([, name]) => [key!, name!] as const)
      })
      return numeric
        .filter(([key, name]) => entries.some((one) => one.trim().startsWith(`${key}: `) && one.includes(`\${${name}}`)))
        .map(([key]) => `${file}: ${key}`)
    })
  assert.deepEqual(raw, [])
})

test('only a clock takes a date from the device; all else takes it from the portal’s clock', () => {
  const clocks = ['web/parts/show/clock.tsx', 'web/platform/dates.ts']
  const ofDevice = /new Date\(\)|new Date\(onThisClock|new Date\(Date\.now|Date\.now\(\) - Date\.parse|now = Date\.now\(\)[,)]/
  assert.deepEqual(
    linesWith(
      sources.filter((file) => !clocks.includes(file)),
      ofDevice,
    ),
    [],
  )
})

test('a component that shows the present is drawn again as time passes: it reads `present`, not the clock itself', () => {
  assert.deepEqual(
    linesWith(
      sources.filter((file) => file.endsWith('.tsx')),
      /portalNow/,
    ),
    [],
  )
})

test('portals below different paths of one host share no channel, and no lock for which one of them would be silent', () => {
  // `shown.ts` also runs in the worker, which has no document. With its lock, one portal only waits for the other.
  assert.deepEqual(
    linesWith(
      sources.filter((file) => file !== 'web/platform/shown.ts'),
      /new BroadcastChannel\((?!ours\()|locks\.request\((?!ours\()/,
    ),
    [],
  )
})

test('every text is used', () => {
  const unused = sources
    .filter((file) => basename(file) === 'texts.ts')
    .flatMap((file) => {
      const [, arabic = ''] = /^const ar = \{\n([\s\S]*?)^\}/m.exec(read(file)) ?? []
      const beside = sources.filter((one) => one.startsWith(`${dirname(file)}/`) && one !== file)
      const text = beside.map(read).join('\n')
      const names = Array.from(arabic.matchAll(/^ {2}(\w+)[:,]/gm), ([, name]) => name!)
      return names.filter((name) => !new RegExp(`\\b${name}\\b`).test(text)).map((name) => `${file}: ${name}`)
    })
  assert.deepEqual(unused, [])
})
