import { invalidate, resource } from '../../platform/cache.ts'
import { answer, api, shownOnce } from '../../platform/client.ts'

/** Whether calendars may read the person's meetings, and when a calendar last did. */
export const feed = resource('/auth/me/calendar')

/**
 * Makes an address for calendars, which replaces the former one. Returns it as `url` and `webcalUrl`; the portal sends them only this once.
 */
export async function makeAddress() {
  const { url, webcalUrl } = await answer(api.POST('/auth/me/calendar'))
  invalidate('/auth/me/calendar')
  return { url: shownOnce(url), webcalUrl: shownOnce(webcalUrl) }
}

export async function endAddress() {
  await answer(api.DELETE('/auth/me/calendar'))
  invalidate('/auth/me/calendar')
}
