import { answer, api } from '../../../platform/client.ts'
import { usernameOf } from './addresses.ts'

export interface Invited {
  email: string
  /** Where they choose a password; null where the portal mails it. */
  url: string | null
}

/** Makes an account whose person chooses a password by a link. */
export async function invite(email: string): Promise<Invited> {
  const made = await answer(api.POST('/users', { body: { username: usernameOf(email), email, invite: true } }))
  return { email, url: 'resetUrl' in made ? made.resetUrl : null }
}
