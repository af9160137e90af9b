/** Measures how soon a step of a request that is made in one browser shows in another. */
import type { Browser, Page } from 'playwright-core'
import { type Budget, median } from './budgets.ts'
import { DESK, openProbe, watchFor } from './probe.ts'
import { callsOf, type Person } from './work.ts'

const RUNS = 3
const DAY_MS = 86_400_000

/** Milliseconds from a press in one browser until a frame with `selector` is painted in another. */
async function seen(actor: Page, button: string, reader: Page, selector: string) {
  const shown = await watchFor(reader, selector)
  const begun = await actor.evaluate((wanted) => {
    const now = performance.timeOrigin + performance.now()
    document.querySelector<HTMLElement>(wanted)!.click()
    return now
  }, button)
  return (await shown.evaluate(({ at }) => at)) - begun
}

export async function measureSteps(browser: Browser, base: string, admin: Person): Promise<Budget[]> {
  const call = await callsOf(base, admin)
  const { password } = admin
  async function person(username: string, roleName: string) {
    const { id } = await call('POST', '/users', { username, password, email: `${username}@example.org` })
    await call('POST', `/users/${id}/roles`, { roleName })
    const { page } = await openProbe(browser, base, { username, password }, DESK)
    return { page, ask: await callsOf(base, { username, password }) }
  }
  const [asker, decider, manager] = [
    await person('step-asker', 'executive_coordinator'),
    await person('step-decider', 'executive_ceo'),
    await person('step-manager', 'executive_office_manager'),
  ]
  const date = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10)
  const times: Record<string, number[]> = { returned: [], 'asked again': [], approved: [] }
  for (let run = 0; run < RUNS; run++) {
    const meeting = await call('POST', '/executive-meetings', {
      ...{ date: date(10 + run), titleEn: 'Visit', startTime: '10:00', endTime: '11:00' },
    })
    const { id } = await asker.ask('POST', '/executive-meetings/requests', {
      ...{ type: 'reschedule', meetingId: meeting.id, details: { startTime: '12:00', endTime: '13:00' } },
    })
    await manager.page.goto('/meetings/requests?status=pending')
    const inList = `.requests-link[href$="/${id}"]`
    await manager.page.locator(inList).waitFor()
    for (const { page } of [asker, decider]) await page.goto(`/meetings/requests/${id}`)
    await decider.page.locator('.requests-end textarea').fill('After eleven')
    await asker.page.locator('.requests-end .requests-acts').waitFor()
    times['returned']!.push(await seen(decider.page, '[data-decision=giveBack]', asker.page, '.requests-again form'))
    await manager.page.locator(inList).waitFor({ state: 'detached' })
    await asker.page.locator('.requests-again .typed-time').first().fill('12:15')
    times['asked again']!.push(await seen(asker.page, '.requests-again [type=submit]', manager.page, inList))
    await decider.page.goto(`/meetings/requests/${id}`)
    await decider.page.locator('[data-decision=approve]').waitFor()
    times['approved']!.push(await seen(decider.page, '[data-decision=approve]', asker.page, '.requests-verdict'))
  }
  for (const { page } of [asker, decider, manager]) await page.context().close()
  return Object.entries(times).map(([step, runs]) => ({
    what: `a request that is ${step}: seen in another browser`,
    value: median(runs),
    budget: 1000,
    unit: 'ms',
  }))
}
