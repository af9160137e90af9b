/** Begins a session after a person has signed in, and tells why the last one ended. */
import { ours, setting } from './device.ts'
import { setQuery } from './router.ts'
import { beginAs, ENDED, type EndReason, endedBy, LEAVING, type Me } from './session.ts'

/** Why the session in this tab ended, and the id of its person. */
function remembered() {
  try {
    return sessionStorage.getItem(ours(ENDED))?.split(' ') ?? []
  } catch {
    return []
  }
}
/** Why the session ended; undefined if there was none, or if the person signed out in this tab. */
export const ending = () => endedBy.value ?? (remembered()[0] as EndReason | undefined)

/** Begins the session that a call has just opened in place of the former session. */
export async function enterAs(person: Me) {
  setting.write(LEAVING, null)
  const [, former = person.id] = remembered()
  // The destination was that of the former person: do not lead somebody else there.
  if (String(former) !== String(person.id)) setQuery({ next: '' })
  await beginAs(person)
}
