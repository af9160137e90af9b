import { answer, api } from '../../../platform/client.ts'
import { usernameOf } from './addresses.ts'

/** A password nobody knows: the person chooses their own by the link. */
const unguessable = () => Array.from(crypto.getRandomValues(new Uint32Array(8)), (part) => part.toString(36)).join('-')

export interface Invited {
  email: string
  /** Where they choose a password. */
  url: string
}

/** Makes an account and the link with which its person chooses a password. */
export async function invite(email: string): Promise<Invited> {
  const body = { username: usernameOf(email), email, password: unguessable() }
  const { id } = await answer(api.POST('/users', { body }))
  const { resetUrl } = await answer(api.POST('/auth/admin/users/{id}/issue-reset-link', { params: { path: { id } } }))
  return { email, url: resetUrl }
}
