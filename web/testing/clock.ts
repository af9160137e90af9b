/** The portal's clock, as pages know it. */
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
