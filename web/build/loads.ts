/** Measures how the first page loads on a phone with slow 4G and a processor at a quarter of the speed. */
import type { Browser } from 'playwright-core'
import { type Budget, median } from './budgets.ts'
import { openProbe, PHONE, type Probe, processorMs, slowDown, startBarePage, taskMs } from './probe.ts'

const RUNS = 5
/** The time of the bare page on an idle machine: 150 ms of network and the first frame. */
const BARE_MS = 250

interface Times {
  paint: number
  tiles: number
  blocking: number
  shift: number
}

declare global {
  interface Window {
    shift: number
    tasks: number[]
  }
}

/** Records layout shifts and long tasks. Runs in the page, before it loads. */
function watch() {
  window.shift = 0
  window.tasks = []
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[])
      if (!entry.hadRecentInput) window.shift += entry.value
  }).observe({ type: 'layout-shift', buffered: true })
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) window.tasks.push(duration)
  }).observe({ type: 'longtask', buffered: true })
}

/** Runs an act. Returns how long the page's thread worked, and how long it waited for a processor, in ms. */
async function working(probe: Probe, act: () => Promise<void>) {
  const spent = async () => ({ processor: await processorMs(probe), task: await taskMs(probe) })
  const before = await spent()
  await act()
  const after = await spent()
  // A page of another origin has its own process, whose counters start at zero.
  const since = (name: keyof typeof after) => (after[name] < before[name] ? after[name] : after[name] - before[name])
  return { worked: since('processor'), waited: Math.max(0, since('task') - since('processor')) }
}

async function load(probe: Probe): Promise<Times> {
  const { page } = probe
  const paint = () => page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0)
  let tiles = 0
  const { worked, waited } = await working(probe, async () => {
    await page.goto('/', { waitUntil: 'commit' })
    const there = await page.waitForFunction(() => document.querySelector('.home-tile') && performance.now())
    tiles = (await there.jsonValue()) as number
  })
  // Late content may still shift the layout.
  await page.waitForLoadState('networkidle')
  const { tasks, shift } = await page.evaluate(() => ({ tasks: window.tasks, shift: window.shift }))
  const share = worked / (worked + waited)
  const blocking = tasks.reduce((sum, duration) => sum + Math.max(0, duration * share - 50), 0)
  return { paint: await paint(), tiles: tiles - waited, blocking, shift }
}

/**
 * Times are corrected to those of an idle machine: without the thread's waits for a processor, and without the delay of a bare page in
 * the same browser.
 */
export async function measureLoads(browser: Browser, base: string, as: { username: string; password: string }): Promise<Budget[]> {
  const bare = await startBarePage()
  const runs: { late: number; first: Times; second: Times }[] = []
  for (let run = 0; run < RUNS; run++) {
    const probe = await openProbe(browser, base, as, PHONE)
    await probe.page.addInitScript(watch)
    await slowDown(probe)
    let painted = 0
    const { waited } = await working(probe, async () => {
      painted = await bare.paint(probe)
    })
    const first = await load(probe)
    // Waits until the worker has cached the files.
    await probe.page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
    runs.push({ late: Math.max(0, painted - waited - BARE_MS), first, second: await load(probe) })
    await probe.page.context().close()
  }
  bare.close()
  const of = (which: 'first' | 'second', name: keyof Times) => median(runs.map((run) => run[which][name]))
  const timely = (which: 'first' | 'second', name: keyof Times) => median(runs.map((run) => run[which][name] - run.late))
  return [
    { what: 'to the first paint', value: timely('first', 'paint'), budget: 1500, unit: 'ms' },
    { what: 'until tiles can be used', value: timely('first', 'tiles'), budget: 2000, unit: 'ms' },
    { what: 'blocked', value: of('first', 'blocking'), budget: 100, unit: 'ms' },
    { what: 'layout shift', value: of('first', 'shift'), budget: 0.02, unit: '' },
    { what: 'until tiles can be used, second visit', value: timely('second', 'tiles'), budget: 500, unit: 'ms' },
    {
      what: `what a bare page came late, besides (${BARE_MS} ms are its own)`,
      value: median(runs.map(({ late }) => late)),
      budget: 1000,
      unit: 'ms',
    },
  ]
}
