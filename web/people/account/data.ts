import { resource, setCached } from '../../platform/cache.ts'
import { answer, api, guess, type Schemas } from '../../platform/client.ts'

export type Me = Schemas['AuthUser']
export type ClockStyle = Schemas['ClockStyle']

const mine = resource('/auth/me')
export const ownManager = resource('/auth/me/manager')

/** Saves the names or the picture. Throws a refusal, for example if a name is too long. */
export async function saveProfile(body: Schemas['ProfileChanges']) {
  setCached('/auth/me', await answer(api.PATCH('/auth/me/profile', { body })))
}

/** Shows the chosen clock at once and saves it. If saving fails, the former clock returns. */
export const chooseClock = (clockStyle: ClockStyle) =>
  guess(
    mine.change((person) => ({ ...person, clockStyle })),
    api.PATCH('/auth/me/clock-style', { body: { clockStyle } }),
  )
export const chooseHours = (clockHour12: boolean) =>
  guess(
    mine.change((person) => ({ ...person, clockHour12 })),
    api.PATCH('/auth/me/clock-hour12', { body: { clockHour12 } }),
  )

let saving: Promise<unknown> = Promise.resolve()
/** Saves the preferences for notifications. Quick changes are sent one after another, in their order. */
export function chooseNotifications(body: Schemas['NotificationPreferences']) {
  const undo = mine.change((person) => ({ ...person, ...body }))
  const saved = saving.then(() => guess(undo, api.PATCH('/auth/me/notification-preferences', { body })))
  saving = saved.catch(() => {})
  return saved
}
