/** The clocks of the device and of the portal, as pages know them. */
import type { Page } from 'playwright-core'

/**
 * Lets the portal's clock show `time` when the page has its first answer after it is next loaded. Both clocks then go on together, even if
 * the test sets that of the device.
 */
export const setPortalClock = (page: Page, time: string | number) =>
  page.addInitScript((time) => {
    const { get } = Headers.prototype
    let ahead: number | undefined
    Headers.prototype.get = function (name) {
      if (name !== 'date') return get.call(this, name)
      ahead ??= time - Date.now()
      return new Date(Date.now() + ahead).toUTCString()
    }
  }, new Date(time).getTime())

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
