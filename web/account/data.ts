import { resource, tell } from '../platform/cache.ts'
import { answer, api, guess, type Schemas } from '../platform/client.ts'
import { Refusal, Unreached } from '../platform/refusal.ts'

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

/** Stores a picture and makes it the person's. */
export async function savePicture(picture: Blob) {
  const asked = { name: 'picture', size: picture.size, contentType: picture.type }
  const { uploadURL, objectPath } = await answer(api.POST('/storage/uploads/request-url', { body: asked }))
  // The address is the public one; the page may be open at another of the same portal.
  const { pathname, search } = new URL(uploadURL, location.href)
  const put = fetch(pathname + search, { method: 'PUT', body: picture, headers: { 'content-type': picture.type } })
  const sent = await put.catch(() => Promise.reject(new Unreached()))
  if (!sent.ok) throw new Refusal(sent.status, await sent.json().catch(() => ({})))
  await saveProfile({ avatarUrl: objectPath })
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
