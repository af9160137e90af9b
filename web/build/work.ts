/**
 * Measures the processor time of presses and of scrolling a long board, and the memory that the board and an hour of events take. Other
 * load on the machine hardly changes the processor time.
 */
import type { Browser } from 'playwright-core'
import { type Budget, median } from './budgets.ts'
import { DESK, drawn, heapMB, openProbe, type Probe, processorMs } from './probe.ts'

export interface Person {
  username: string
  password: string
}
type Call = (method: string, path: string, body?: object) => Promise<{ id: number }>

/** Signs a person in. Returns a function that makes calls as that person. */
export async function callsOf(base: string, { username, password }: Person): Promise<Call> {
  const headers = { 'content-type': 'application/json' }
  const entered = await fetch(`${base}/api/auth/login`, { method: 'POST', headers, body: JSON.stringify({ username, password }) })
  const cookie = entered.headers.getSetCookie()[0]!.split(';')[0]!
  return async (method, path, body) => {
    const answer = await fetch(`${base}/api${path}`, {
      method,
      headers: { ...headers, cookie },
      ...(body && { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    return answer.json().catch(() => ({ id: 0 })) as Promise<{ id: number }>
  }
}

/** Repeats an act `count` times, with up to `atOnce` running at a time. */
export async function times(count: number, act: (index: number) => Promise<unknown>, atOnce = 8) {
  let next = 0
  const work = async () => {
    while (next < count) await act(next++)
  }
  await Promise.all(Array.from({ length: atOnce }, work))
}

const costOf = async (probe: Probe, act: () => Promise<unknown>) => {
  const before = await processorMs(probe)
  await act()
  await drawn(probe)
  return (await processorMs(probe)) - before
}

/** Measures the processor time from a key or a press to the frame that shows its effect. */
export async function measurePresses(browser: Browser, base: string, as: Person): Promise<Budget[]> {
  const probe = await openProbe(browser, base, as, DESK)
  const { page } = probe
  await page.goto('/')
  await page.locator('.home-tile').first().waitFor()
  const presses: Record<string, [press: () => Promise<unknown>, back: () => Promise<unknown>]> = {
    'opening the palette': [
      () => page.keyboard.press('Control+k').then(() => page.locator('.palette').waitFor()),
      () => page.keyboard.press('Escape').then(() => page.locator('.palette').waitFor({ state: 'detached' })),
    ],
    'opening a menu': [() => page.locator('.bar > button[aria-haspopup=menu]').last().press('Enter'), () => page.keyboard.press('Escape')],
    'changing the language': [() => page.locator('.bar .language').press('Enter'), () => page.locator('.bar .language').press('Enter')],
  }
  const found: Budget[] = []
  for (const [name, [press, back]] of Object.entries(presses)) {
    // Press once before measuring, so that chunks are loaded.
    await press()
    await back()
    const costs: number[] = []
    for (let run = 0; run < 5; run++) {
      costs.push(await costOf(probe, press))
      await back()
      await drawn(probe)
    }
    found.push({ what: `${name}: processor until it is drawn`, value: median(costs), budget: 100, unit: 'ms' })
  }
  await page.context().close()
  return found
}

/** Measures the receiver's board with a thousand orders: processor time to show and scroll it, and memory. */
export async function measureBoard(browser: Browser, base: string, as: Person): Promise<Budget[]> {
  const probe = await openProbe(browser, base, as, DESK)
  const { page } = probe
  await page.goto('/')
  await page.locator('.home-tile').first().waitFor()
  await drawn(probe)
  const rows = await costOf(probe, async () => {
    await page.locator('.sections a[href$="/incoming"]').click()
    await page.locator('[data-order]').first().waitFor()
  })
  await page.waitForLoadState('networkidle')
  let longest = 0
  for (let step = 0; step < 60; step++)
    longest = Math.max(
      longest,
      await costOf(probe, () =>
        page.evaluate(() => document.querySelector('.receiving-list')!.closest('.receiving-box, html')!.scrollBy(0, 900)),
      ),
    )
  const heap = await heapMB(probe)
  await page.context().close()
  return [
    { what: '1,000 orders: processor until the first rows are drawn', value: rows, budget: 500, unit: 'ms' },
    { what: '1,000 orders: the longest frame while scrolling, in processor time', value: longest, budget: 50, unit: 'ms' },
    { what: '1,000 orders: heap', value: heap, budget: 40, unit: 'MB' },
  ]
}

const ROUNDS_BEFORE = 100
/** The orders in an hour. Each is placed, claimed, prepared and completed, with its notifications. */
const ROUNDS = 400

/** Measures how much the heap of an open page grows over an hour of events. */
export async function measureHour(
  browser: Browser,
  base: string,
  as: Person,
  [place, work]: [place: Call, work: Call],
  serviceId: number,
): Promise<Budget[]> {
  const probe = await openProbe(browser, base, as, DESK)
  const { page } = probe
  await page.goto('/incoming')
  await page.locator('h1').waitFor()
  await page.waitForLoadState('networkidle')
  const events = await page.evaluateHandle(() => {
    const received = { count: 0 }
    const stream = new EventSource('/api/events')
    for (const name of ['order_incoming_changed', 'order_updated', 'notification_created'])
      stream.addEventListener(name, () => received.count++)
    return received
  })
  const live = async (rounds: number) => {
    await times(rounds, async () => {
      const { id } = await place('POST', '/orders', { serviceId, notes: 'Two cups, please' })
      await work('PATCH', `/orders/${id}/confirm-receipt`, {})
      await work('PATCH', `/orders/${id}/status`, { status: 'preparing' })
      await work('PATCH', `/orders/${id}/status`, { status: 'completed' })
    })
    await page.waitForFunction(() => document.querySelectorAll('[data-order]').length === 0)
    await page.waitForLoadState('networkidle')
  }
  await live(ROUNDS_BEFORE)
  const before = await heapMB(probe)
  await live(ROUNDS)
  const after = await heapMB(probe)
  const count = await events.evaluate((received) => received.count)
  await page.context().close()
  return [{ what: `an hour of events (${count} received): heap that stays`, value: after - before, budget: 1, unit: 'MB' }]
}
