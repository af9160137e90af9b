/** Signing in. */
import { ours, setting } from './device.ts'
import { setQuery } from './router.ts'
import { beginAs, ENDED, type EndReason, endedBy, LEAVING, type Me } from './session.ts'

/** The session that ended in this tab: why, and whose it was. */
function remembered() {
  try {
    return sessionStorage.getItem(ours(ENDED))?.split(' ') ?? []
  } catch {
    return []
  }
}
/** Why the session ended, unless its person ended it here and now. */
export const ending = () => endedBy.value ?? (remembered()[0] as EndReason | undefined)

/** Begins the session that a call has just opened and that has replaced the former one. */
export async function enterAs(person: Me) {
  setting.write(LEAVING, null)
  const [, former = person.id] = remembered()
  // Another person's destination is not followed.
  if (String(former) !== String(person.id)) setQuery({ next: '' })
  await beginAs(person)
}
