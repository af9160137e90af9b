import { resource, tell } from '../platform/cache.ts'
import { answer, api, guess, type Schemas } from '../platform/client.ts'

export type Me = Schemas['AuthUser']
export type Session = Schemas['Session']
export type ClockStyle = Schemas['ClockStyle']

const mine = resource('/auth/me')
/** The person's living sessions, the one that asks among them. */
export const sessions = resource('/auth/me/sessions')

/** Saves names or the picture; a refusal is thrown. */
export async function saveProfile(body: Schemas['ProfileChanges']) {
  tell('/auth/me', await answer(api.PATCH('/auth/me/profile', { body })))
}

/** Shown at once, and taken back where it could not be saved. */
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
/** Which notifications arrive, and how they sound and vibrate. Choices that follow one another fast are sent in their order. */
export function chooseNotifications(body: Schemas['NotificationPreferences']) {
  const undo = mine.change((person) => ({ ...person, ...body }))
  const saved = saving.then(() => guess(undo, api.PATCH('/auth/me/notification-preferences', { body })))
  saving = saved.catch(() => {})
  return saved
}

/** Sets another password; all other sessions end. */
export async function changePassword(currentPassword: string, newPassword: string) {
  tell('/auth/me', await answer(api.POST('/auth/me/password', { body: { currentPassword, newPassword } })))
  sessions.refresh()
}

/** Ends one session, or all but this one. */
export const endSessions = async (some: Session[]) => {
  const gone = new Set(some.map(({ id }) => id))
  const undo = sessions.change((all) => all.filter(({ id }) => !gone.has(id)))
  try {
    for (const id of gone) await answer(api.DELETE('/auth/me/sessions/{id}', { params: { path: { id } } }))
  } catch (failure) {
    undo()
    sessions.refresh()
    throw failure
  }
}
