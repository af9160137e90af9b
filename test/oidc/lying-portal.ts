/** A portal with a dishonest provider, whose answers a test chooses. */
import { before } from 'node:test'
import { type Client, testPortal } from '../portal.ts'
import { scale } from '../suite.ts'
import { openBrowser } from './browser.ts'
import { type Liar, openLiar } from './liar.ts'
import { addProvider } from './provider.ts'

export const SSO_ENV = { SSO_INTERNAL_HOSTS: '127.0.0.1', SECRETS_KEY: 'k'.repeat(43) }
type Json = Record<string, unknown>

/** Most attacks are tried with registration open in the ordinary suite, and closed in the slow suite. */
const registrationOpen = scale(1, 0) === 1

/** `fields` are the settings of the provider, whose slug is `liar`. */
export function lyingPortal(fields: Json = {}, env: Record<string, string> = {}) {
  const portal = testPortal({ ...SSO_ENV, ...env })
  const opened = {} as { liar: Liar; id: number }
  before(async () => {
    await portal.ready
    opened.liar = await openLiar()
    await open(registrationOpen)
    await add()
  })
  const open = (registrationOpen: boolean) => portal.admin.patch('/settings', { registrationOpen })
  const add = async () => {
    opened.id = await addProvider(portal, opened.liar, { slug: 'liar', ...fields })
  }
  const at = () => `/admin/sign-in/providers/${opened.id}`
  return {
    portal,
    get liar() {
      return opened.liar
    },
    get id() {
      return opened.id
    },
    at,
    /** Adds the provider again, once it is deleted. */
    add,
    change: async (settings: Json) => {
      const answer = await portal.admin.patch(at(), settings)
      if (answer.status !== 200) throw new Error(answer.text)
      return answer.body
    },
    /** Signs in with these claims, in a new browser. */
    async signIn(claims: Json) {
      const browser = openBrowser(portal)
      return { browser, path: await opened.liar.answer(browser, claims) }
    },
    /** Registers an account, with registration open only for this call. */
    async register(by: Client, fields: Json) {
      await open(true)
      const answer = await by.post('/auth/register', fields)
      await open(registrationOpen)
      return answer
    },
    /** Gives the person an identity at the provider, with this subject. */
    link: ({ id }: Pick<Client, 'id'>, subject: string) =>
      portal.meddle('user', id, `insert into identities (provider_id, subject, user_id) values (${opened.id}, '${subject}', ${id})`),
  }
}
