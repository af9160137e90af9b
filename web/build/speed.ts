/**
 * How soon the first page is there, on a phone with its processor slowed four times and slow 4G, against the budgets of the plan. Run by
 * `npm run pages:measure -- http://localhost:3000 admin the-password` against a portal that runs; without an address, nothing is measured.
 */
import { chromium, type Page } from 'playwright-core'

const RUNS = 5
const [address, username, password] = process.argv.slice(2)

interface Times {
  paint: number
  tiles: number
  blocking: number
  shift: number
}

declare global {
  interface Window {
    shift: number
    blocking: number
  }
}

/** Counts from the first moment on. */
function watch() {
  window.shift = 0
  window.blocking = 0
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[])
      if (!entry.hadRecentInput) window.shift += entry.value
  }).observe({ type: 'layout-shift', buffered: true })
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) window.blocking += Math.max(0, duration - 50)
  }).observe({ type: 'longtask', buffered: true })
}

async function load(page: Page, url: string): Promise<Times> {
  await page.goto(url, { waitUntil: 'commit' })
  await page.locator('.home-tile').first().waitFor()
  const tiles = await page.evaluate(() => performance.now())
  // What comes late may still shift what is there.
  await page.waitForLoadState('networkidle')
  return page.evaluate(
    (tiles) => ({
      paint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0,
      tiles,
      blocking: window.blocking,
      shift: window.shift,
    }),
    tiles,
  )
}

const median = (values: number[]) => values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)]!

async function measure(base: string) {
  const browser = await chromium.launch({ executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium', args: ['--no-sandbox'] })
  const first: Times[] = []
  const second: Times[] = []
  for (let run = 0; run < RUNS; run++) {
    const context = await browser.newContext({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, baseURL: base })
    await context.request.post('/api/auth/login', { data: { username, password }, headers: { origin: base } })
    const page = await context.newPage()
    await page.addInitScript(watch)
    const session = await context.newCDPSession(page)
    await session.send('Network.enable')
    await session.send('Emulation.setCPUThrottlingRate', { rate: 4 })
    await session.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 150,
      downloadThroughput: 200_000,
      uploadThroughput: 90_000,
    })
    first.push(await load(page, '/'))
    await page.waitForTimeout(1500)
    second.push(await load(page, '/'))
    await context.close()
  }
  await browser.close()
  const line = (what: string, value: number, budget: number) =>
    console.log(`${value.toFixed(budget < 1 ? 3 : 0).padStart(6)} of ${String(budget).padStart(4)}  ${what}`)
  const of = (some: Times[], name: keyof Times) => median(some.map((one) => one[name]))
  line('ms to the first paint', of(first, 'paint'), 1500)
  line('ms until tiles can be used', of(first, 'tiles'), 2000)
  line('ms blocked', of(first, 'blocking'), 100)
  line('layout shift', of(first, 'shift'), 0.02)
  line('ms until tiles can be used, second visit', of(second, 'tiles'), 500)
}

if (address) await measure(address.replace(/\/$/, ''))
