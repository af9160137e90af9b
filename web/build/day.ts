/**
 * Measures how soon the page of a day with sixty meetings answers presses on a processor at a quarter of the speed. The result is four
 * times the processor time on this machine: if the browser throttled the processor itself, other work on the machine would slow it further.
 */
import type { Browser } from 'playwright-core'
import { type Budget, median } from './budgets.ts'
import { DESK, drawn, openProbe, type Probe, processorMs, watchFor } from './probe.ts'
import { callsOf, type Person, times } from './work.ts'

const MEETINGS = 60
const TASKS = 10
const ATTENDEES = 6
const RUNS = 7
const SLOWER = 4
const BUDGET_MS = 100
const DAY_MS = 86_400_000

const time = (minutes: number) => `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`

/** Fills tomorrow with sixty meetings, each overlapping the next, and with tasks. */
async function fillDay(base: string, as: Person, people: number[]) {
  const call = await callsOf(base, as)
  const date = new Date(Date.now() + DAY_MS).toISOString().slice(0, 10)
  const ids: number[] = []
  // Created one at a time, so that they are in the order of their times.
  for (let n = 0; n < MEETINGS; n++) {
    const attendees = Array.from({ length: ATTENDEES }, (_, k) => ({ name: `Guest ${k}`, userId: people[(n + k) % people.length] }))
    const hours = { startTime: time(360 + 15 * n), endTime: time(380 + 15 * n) }
    const { id } = await call('POST', '/executive-meetings', {
      ...{ date, ...hours, titleEn: `Meeting ${n}`, titleAr: `الاجتماع ${n}`, locationEn: 'Hall', notes: 'Bring the plan', attendees },
    })
    ids.push(id)
  }
  await times(TASKS, (n) => call('POST', '/executive-meetings/tasks', { titleEn: `Task ${n}`, meetingId: ids[n], dueDate: date }))
  return { date, ids }
}

/** Milliseconds of processor time from a press until a frame with `selector` is painted. */
async function costOf(probe: Probe, press: () => Promise<unknown>, selector: string) {
  await drawn(probe)
  const shown = await watchFor(probe.page, selector)
  const before = await processorMs(probe)
  await press()
  await shown.evaluate(({ at }) => at)
  return (await processorMs(probe)) - before
}

const linkTo = (id: number) => `.day-run h2 a[href$="open=${id}"]`
const FORM = '.beside-card form'

async function open({ page }: Probe, id: number) {
  await page.locator(linkTo(id)).focus()
  await page.keyboard.press('Enter')
  await page.locator(FORM).waitFor()
}

async function close({ page }: Probe) {
  await page.keyboard.press('Escape')
  await page.locator('.day-aside').waitFor()
}

const lineOf = (what: string, costs: number[]): Budget => ({
  what: `${MEETINGS} meetings, ${what}: until it is drawn`,
  value: SLOWER * median(costs),
  budget: BUDGET_MS,
  unit: 'ms',
})

/** Measures how long a meeting takes to open for the first time, when the page does not know its version yet. */
async function measureOpening(probe: Probe, [first, ...others]: number[]): Promise<Budget> {
  // Open a meeting once before measuring, so that the parts of the editor are loaded.
  await open(probe, first!)
  await close(probe)
  const costs: number[] = []
  for (const id of others) {
    await probe.page.locator(linkTo(id)).focus()
    costs.push(await costOf(probe, () => probe.page.keyboard.press('Enter'), FORM))
    await close(probe)
  }
  return lineOf('opening one beside the day', costs)
}

export async function measureDay(browser: Browser, base: string, as: Person, people: number[]): Promise<Budget[]> {
  const { date, ids } = await fillDay(base, as, people)
  const probe = await openProbe(browser, base, as, DESK)
  const { page } = probe
  await page.goto(`/meetings/${date}`)
  const cards = page.locator('.day-run > li')
  await cards.nth(MEETINGS - 1).waitFor()
  await page.locator('.day-tasks input').first().waitFor()
  const middle = Math.floor(MEETINGS / 2)
  const id = ids[middle]!
  const link = page.locator(linkTo(id))
  const menu = cards.nth(middle).locator('.day-acts button[aria-haspopup]')
  /** Measures a press several times; `back` undoes each press. The first run is not counted, because it loads parts of the page. */
  async function measure(what: string, press: () => Promise<unknown>, selector: string, back: () => Promise<unknown>): Promise<Budget> {
    const runs: number[] = []
    for (let run = -1; run < RUNS; run++) {
      const cost = await costOf(probe, press, selector)
      await back()
      if (run >= 0) runs.push(cost)
    }
    return lineOf(what, runs)
  }
  const at = (place: number) => `.day-run > li:nth-child(${place + 1}) h2 a[href$="open=${id}"]`
  const found: Budget[] = []
  await menu.focus()
  found.push(
    await measure(
      'opening the menu of one',
      () => page.keyboard.press('Enter'),
      '.menu:popover-open [role=menuitem]:first-child',
      async () => page.keyboard.press('Escape'),
    ),
  )
  await link.focus()
  await page.keyboard.down('Alt')
  found.push(
    await measure(
      'moving one by keys',
      () => page.keyboard.press('ArrowDown'),
      at(middle + 1),
      async () => {
        await page.keyboard.press('ArrowUp')
        await page.locator(at(middle)).waitFor()
      },
    ),
  )
  await page.keyboard.up('Alt')
  const task = page.locator('.day-tasks input').first()
  await task.focus()
  found.push(
    await measure(
      'ticking a task',
      () => page.keyboard.press('Space'),
      '.day-tasks s',
      async () => {
        await page.keyboard.press('Space')
        await page.locator('.day-tasks s').waitFor({ state: 'detached' })
      },
    ),
  )
  found.push(await measureOpening(probe, ids.slice(middle - RUNS, middle + 1)))
  await open(probe, id)
  const end = page.locator('.beside-card .typed-time').last()
  const former = await end.inputValue()
  await end.fill(time(381 + 15 * middle))
  const isClashing = '.meeting-follows p:nth-of-type(3)'
  found.push(
    await measure(
      'a time typed in the editor, with what it overlaps',
      () => end.fill('21:00'),
      isClashing,
      async () => {
        await end.fill(former)
        await page.locator(isClashing).waitFor({ state: 'detached' })
      },
    ),
  )
  await close(probe)
  await page.keyboard.press('n')
  const line = page.locator('.day-line input').first()
  await line.waitFor()
  found.push(
    await measure(
      'a line typed, with what is understood of it',
      () => line.fill('Lunch from 13:00 to 14:00 in the Hall'),
      '.day-understood li:nth-child(4)',
      () => line.fill(''),
    ),
  )
  await page.context().close()
  return found
}
