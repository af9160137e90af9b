/**
 * Measures how soon pages answer on a processor at a quarter of the speed: the administrator's pages in an organisation of 50,000 people,
 * 10,000 groups, 500 roles, 2,000 apps, a million log entries and ten million openings, and the executive's pages on a day of sixty
 * meetings. Fails if any exceeds its budget. Run by `npm run pages:measure:desks`. `-- 0.01` makes only that share of the entries and
 * openings; `-- meetings` measures only the executive's pages.
 */
import { type Browser, chromium } from 'playwright-core'
import { fillOrganisation } from '../../bench/organisation.ts'
import { fillPeople, PASSWORD } from '../../bench/people.ts'
import { type BenchPortal, openBenchPortal } from '../../bench/portal.ts'
import { type Budget, median, report } from './budgets.ts'
import { measureDay } from './day.ts'
import { DESK, drawn, heapMB, openProbe, type Probe, processorMs, taskMs } from './probe.ts'
import { measureSteps } from './steps.ts'
import { callsOf, type Person, times } from './work.ts'

const RUNS = 5
const SLOWER = 4
const ROLES = 500
const CHANGES = 500
/** What the frame asks for last, some seconds after a page was opened. */
const FRAME_ASKS = ['**/api/service-categories', '**/api/auth/me/security']
const DAY_MS = 86_400_000
const ROW = '.grid-window [role=row]:not([aria-busy])'

declare global {
  interface Window {
    /** Resolves to the milliseconds that an act took. */
    measured: Promise<number>
  }
}

interface Measured {
  ms: number
  calls: number
}

/**
 * Measures the milliseconds from a press or key to the frame that shows `selector`, without the thread's waits for a processor, and the
 * number of calls until then.
 */
async function answered(probe: Probe, act: () => Promise<unknown>, selector: string): Promise<Measured> {
  const { page } = probe
  await drawn(probe)
  const before = { task: await taskMs(probe), processor: await processorMs(probe) }
  let calls = 0
  const count = (request: { url(): string }) => {
    if (new URL(request.url()).pathname.startsWith('/api/')) calls++
  }
  page.on('request', count)
  // Install the listeners before the act: keys and evaluated scripts do not reach the page in the order in which they are sent.
  await page.evaluate((wanted) => {
    window.measured = new Promise<number>((resolve) => {
      const listening = new AbortController()
      const begin = ({ timeStamp }: Event) => {
        listening.abort()
        const look = () => {
          if (document.querySelector(wanted)) resolve(performance.now() - timeStamp)
          else requestAnimationFrame(look)
        }
        requestAnimationFrame(look)
      }
      for (const kind of ['click', 'keydown', 'input']) addEventListener(kind, begin, { capture: true, signal: listening.signal })
    })
  }, selector)
  await act()
  const passed = await page.evaluate(() => window.measured)
  page.off('request', count)
  const [task, processor] = [(await taskMs(probe)) - before.task, (await processorMs(probe)) - before.processor]
  return { ms: passed - Math.max(0, task - processor), calls }
}

/** Goes to an address of the portal as a press on a link does. */
const press = ({ page }: Probe, path: string) =>
  page.evaluate((href) => {
    const link = Object.assign(document.createElement('a'), { href })
    document.body.append(link)
    link.click()
    link.remove()
  }, path)

async function away(probe: Probe) {
  await press(probe, '/admin/system')
  await probe.page.locator('.system, h1').first().waitFor()
  await probe.page.waitForLoadState('networkidle')
}

/** Measures a list from the press that opens it to its first rows, with an empty cache and with a filled one. */
async function measureRows(probe: Probe, name: string, path: string, row: string): Promise<Budget[]> {
  const firsts: Measured[] = []
  const seconds: Measured[] = []
  for (let run = 0; run < RUNS; run++) {
    await probe.page.goto('/admin/system')
    // Visit the page once before measuring, so that its chunk is on the device, as in normal use.
    await press(probe, path)
    await probe.page.locator(row).first().waitFor()
    // Waits until the frame has preloaded its data, so that the calls of the frame are not counted.
    await probe.page.goto('/admin/system', { waitUntil: 'commit' })
    await Promise.all(FRAME_ASKS.map((address) => probe.page.waitForResponse(address)))
    await probe.page.waitForLoadState('networkidle')
    firsts.push(await answered(probe, () => press(probe, path), row))
    await away(probe)
    seconds.push(await answered(probe, () => press(probe, path), row))
  }
  const of = (runs: Measured[]) => median(runs.map(({ ms }) => ms))
  return [
    { what: `${name}: rows in sight`, value: of(firsts), budget: 500, unit: 'ms' },
    { what: `${name}: rows in sight, known already`, value: of(seconds), budget: 150, unit: 'ms' },
    { what: `${name}: calls before the first rows`, value: Math.max(...firsts.map(({ calls }) => calls)), budget: 3, unit: '' },
  ]
}

async function repeat(what: string, budget: number, measure: (run: number) => Promise<Measured>): Promise<Budget> {
  const runs: number[] = []
  for (let run = 0; run < RUNS; run++) runs.push((await measure(run)).ms)
  return { what, value: median(runs), budget, unit: 'ms' }
}

/** Measures the administrator's pages. Returns the ids of the people whom it created. */
async function measureAdministration(browser: Browser, portal: BenchPortal, base: string, as: Person, share: number) {
  const { ids } = await fillOrganisation(portal, { share, groups: 10_000, apps: 2000 })
  const call = await callsOf(base, as)
  await times(ROLES, (n) => call('POST', '/roles', { name: `role.${n}` }))
  const probe = await openProbe(browser, base, as, DESK)
  const { page } = probe
  await probe.devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWER })

  for (const [name, path, row] of [
    ['people', '/admin/users', ROW],
    ['groups', '/admin/groups', ROW],
    ['the log', '/admin/audit', '.log-entry'],
  ] as const)
    report(await measureRows(probe, name, path, row))

  await page.goto('/admin/users')
  await page.locator(ROW).first().waitFor()
  const field = page.locator('main').getByRole('searchbox').first()
  // The administrator and the row of headings are counted as well.
  const last = ids.length + 2
  const isCleared = () => page.locator(`.grid[aria-rowcount="${last}"] ${ROW}`).first().waitFor()
  report([
    await repeat('people: typed to found', 200, async (run) => {
      await field.fill('')
      await isCleared()
      await field.focus()
      return answered(probe, () => field.fill(`person4000${run + 1}`), '.grid[aria-rowcount="2"]')
    }),
  ])
  await field.fill('')
  await isCleared()
  report([
    await repeat('people: to the end of the list', 300, async () => {
      await page.locator('[aria-rowindex="2"]').focus()
      const jump = await answered(probe, () => page.keyboard.press('End'), `[aria-rowindex="${last}"]:not([aria-busy])`)
      await page.keyboard.press('Home')
      await page.locator('[aria-rowindex="2"]:not([aria-busy])').waitFor()
      return jump
    }),
    await repeat('a person: whole', 600, async (run) => {
      await away(probe)
      return answered(probe, () => press(probe, `/admin/users/${ids[100 + run]}`), 'main:has(h1):not(:has(.skeleton))')
    }),
    await repeat('the log: filtered by a day', 400, async (run) => {
      await away(probe)
      const day = new Date(Date.now() - (50 + run) * DAY_MS).toISOString().slice(0, 10)
      return answered(probe, () => press(probe, `/admin/audit?from=${day}&to=${day}`), '.log-entry')
    }),
    await repeat('statistics of 366 days: drawn', 400, async (run) => {
      await away(probe)
      const day = (before: number) => new Date(Date.now() - before * DAY_MS).toISOString().slice(0, 10)
      const span = `range=custom&from=${day(366 + run)}&to=${day(1 + run)}`
      return answered(probe, () => press(probe, `/admin/statistics?${span}`), 'main svg path')
    }),
  ])
  const nodes = await page.evaluate(() =>
    Math.max(...Array.from(document.querySelectorAll('main svg'), (svg) => svg.querySelectorAll('*').length)),
  )
  report([{ what: 'statistics of 366 days: nodes of the chart', value: nodes, budget: 400, unit: '' }])

  await probe.devtools.send('Emulation.setCPUThrottlingRate', { rate: 1 })
  await press(probe, '/admin/users')
  await page.locator(ROW).first().waitFor()
  await times(CHANGES, (n) => call('PATCH', `/users/${ids[n % ids.length]}`, { displayNameEn: `Employee ${n}` }))
  await page.waitForLoadState('networkidle')
  report([{ what: `people: heap after ${CHANGES} changes by others`, value: await heapMB(probe), budget: 40, unit: 'MB' }])
  await page.context().close()
  return ids
}

const part = process.argv[2] ?? '1'
const portal = await openBenchPortal()
const browser = await chromium.launch({ executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium', args: ['--no-sandbox'] })
try {
  const base = portal.base.replace('127.0.0.1', 'localhost')
  const as = { username: 'admin', password: PASSWORD }
  const ids =
    part === 'meetings' ? (await fillPeople(portal, 100)).ids : await measureAdministration(browser, portal, base, as, Number(part))
  report(await measureDay(browser, base, as, ids))
  report(await measureSteps(browser, base, as))
} finally {
  await browser.close()
  await portal.close()
}
