/** How a person comes in. */
import { answer, api } from './client.ts'
import { setting } from './device.ts'
import { setQuery } from './router.ts'
import { beginAs, ENDED, type EndReason, endedBy, LEAVING, type Me } from './session.ts'

/** What this tab has of the session that ended in it: why, and whose. */
function remembered() {
  try {
    return sessionStorage.getItem(ENDED)?.split(' ') ?? []
  } catch {
    return []
  }
}
/** Why the session ended, other than by its person here and now. */
export const ending = () => endedBy.value ?? (remembered()[0] as EndReason | undefined)

/** Signs in; a refusal is thrown. */
export async function signIn(username: string, password: string) {
  const person = await answer(api.POST('/auth/login', { body: { username, password } }))
  await enterAs(person)
}

/** Begins the session that a call has just opened, which has ended the one that was there. */
export async function enterAs(person: Me) {
  setting.write(LEAVING, null)
  const [, former = person.id] = remembered()
  // Where somebody else was going is theirs.
  if (String(former) !== String(person.id)) setQuery({ next: '' })
  await beginAs(person)
}
