/** Opens pages of the measured portal and reads the browser's counters of their work. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, BrowserContextOptions, CDPSession, Page } from 'playwright-core'

export const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }
export const DESK = { viewport: { width: 1440, height: 900 } }

export interface Probe {
  page: Page
  /** Counts processor time of the page's thread, without other work on the machine. */
  devtools: CDPSession
  /** Counts wall-clock time. */
  wall: CDPSession
}

/** Opens a page in a new window and signs in. */
export async function openProbe(
  browser: Browser,
  base: string,
  as: { username: string; password: string },
  options: BrowserContextOptions,
) {
  const context = await browser.newContext({ ...options, baseURL: base, locale: 'en-GB' })
  await context.request.post('/api/auth/login', { data: as, headers: { origin: base } })
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' })
  const wall = await context.newCDPSession(page)
  await wall.send('Performance.enable', { timeDomain: 'timeTicks' })
  return { page, devtools, wall }
}

/** Simulates slow 4G and a processor at a quarter of the speed. */
export async function slowDown({ devtools }: Probe) {
  await devtools.send('Network.enable')
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  const speed = { downloadThroughput: 200_000, uploadThroughput: 90_000 }
  await devtools.send('Network.emulateNetworkConditions', { offline: false, latency: 150, ...speed })
}

async function metric(session: CDPSession, name: string) {
  const { metrics } = await session.send('Performance.getMetrics')
  return metrics.find((one) => one.name === name)!.value
}

/** Milliseconds of processor time that the page's thread has used so far. */
export const processorMs = async ({ devtools }: Probe) => 1000 * (await metric(devtools, 'TaskDuration'))

/** As `processorMs`, but including waits for a busy processor. */
export const taskMs = async ({ wall }: Probe) => 1000 * (await metric(wall, 'TaskDuration'))

/** The live heap after a garbage collection, in MB. */
export async function heapMB(probe: Probe) {
  for (let round = 0; round < 3; round++) await probe.devtools.send('HeapProfiler.collectGarbage')
  return (await metric(probe.devtools, 'JSHeapUsedSize')) / 1e6
}

/** Waits until the last rendering is on the screen. */
export const drawn = ({ page }: Probe) =>
  page.evaluate(() => new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))))

/**
 * Watches for an element: `at` resolves to the time, in ms since 1970, at which a frame with an element that matches `selector` was
 * painted.
 */
export const watchFor = (page: Page, selector: string) =>
  page.evaluateHandle((wanted) => {
    const at = new Promise<number>((resolve) => {
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = () => resolve(performance.timeOrigin + performance.now())
      const look = () => {
        if (document.querySelector(wanted)) port2.postMessage('')
        else requestAnimationFrame(look)
      }
      requestAnimationFrame(look)
    })
    return { at }
  }, selector)

/** A page with a single line, whose loading time shows how busy the machine is. */
export async function startBarePage() {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html').end('<!doctype html><link rel="icon" href="data:,"><title>Bare</title><p>Bare')
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return {
    /** Loads the page. Returns the milliseconds until its line is painted. */
    async paint({ page }: Probe) {
      await page.goto(`http://127.0.0.1:${port}/`)
      const painted = () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime
      return (await page.waitForFunction(painted)).jsonValue() as Promise<number>
    },
    close: () => server.close(),
  }
}
