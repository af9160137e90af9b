/** The clocks of the device and of the portal, as pages know them. */
import type { Page } from 'playwright-core'

/** Lets the portal's clock show `time` when the page is next loaded. It must be later than the real time: a page keeps the latest. */
export const setPortalClock = (page: Page, time: string | number) =>
  page.route(
    '**/api/auth/me',
    async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, headers: { ...response.headers(), date: new Date(time).toUTCString() } })
    },
    { times: 1 },
  )

const HALF_A_MINUTE = 30_000

/**
 * Sets the clocks of the device and of the portal. The portal's is half a minute fast, so that a late answer leaves the minute as it is. What
 * the device knows of passing time then follows its clock, which the test sets.
 */
export async function setClocks(page: Page, time: number) {
  await page.clock.install({ time })
  await page.addInitScript(() => {
    const begun = Date.now()
    performance.now = () => Date.now() - begun
  })
  await setPortalClock(page, time + HALF_A_MINUTE)
}
