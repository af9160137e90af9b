/**
 * A real provider (the package `oidc-provider`) in this process. It signs in the account that `login_hint` or `as` names, and consents:
 *
 *   const portal = testPortal({ SSO_INTERNAL_HOSTS: '127.0.0.1' })
 *
 *   const provider = await openProvider({ portalUrl: portal.instance.config.publicUrl })
 *   provider.accounts.set('sara', { email: 'sara@example.org', email_verified: true, name: 'Sara' })
 *   provider.as = 'sara'
 *   await addProvider(portal, provider)
 *
 * Then a browser that follows the address of `POST /auth/oidc/entra/start` comes back signed in. `portalUrl` is PUBLIC_URL: with a real
 * browser, it has to be the address at which the portal listens.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'
import { exportJWK, generateKeyPair } from 'jose'
import Provider from 'oidc-provider'
import type { TestPortal } from '../portal.ts'

export const CLIENT = { clientId: 'portal', clientSecret: 'a secret that only the two know' }

type Claims = Record<string, unknown>

interface Options {
  /** PUBLIC_URL of the portal. */
  portalUrl: string
  /** The address at which the portal listens. The provider needs it for back-channel logout and for the portal's key. */
  base?: string
  /** The slugs of the provider in the portal. */
  slugs?: readonly string[]
  port?: number
  /** The portal authenticates by its own key instead of a secret. */
  knowsKey?: boolean
}

async function keysFor() {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  return { keys: [{ ...(await exportJWK(privateKey)), kid: 'one', alg: 'RS256', use: 'sig' }] }
}

export async function openProvider({ portalUrl, base, slugs = ['entra'], port = 0, knowsKey = false }: Options) {
  const redirectUris = slugs.map((slug) => `${portalUrl}/api/auth/oidc/${slug}/callback`)
  const backchannelUri = base && `${base}/api/auth/oidc/${slugs[0]}/backchannel-logout`
  const accounts = new Map<string, Claims>()
  const state = { as: '' }
  let handle: (request: IncomingMessage, response: ServerResponse) => void = () => {}
  const server = createServer((request, response) => handle(request, response))
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const names = ['email', 'email_verified', 'name', 'name_ar', 'preferred_username', 'locale', 'groups', 'department']
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT.clientId,
        ...(knowsKey
          ? {
              token_endpoint_auth_method: 'private_key_jwt',
              token_endpoint_auth_signing_alg: 'ES256',
              jwks_uri: `${base}/api/auth/oidc/${slugs[0]}/jwks`,
            }
          : { client_secret: CLIENT.clientSecret }),
        redirect_uris: redirectUris,
        post_logout_redirect_uris: [`${portalUrl}/sign-in?local=1`],
        ...(backchannelUri && { backchannel_logout_uri: backchannelUri, backchannel_logout_session_required: true }),
      },
    ],
    jwks: await keysFor(),
    claims: { openid: ['sub'], profile: names, auth_time: null, sid: null } as never,
    conformIdTokenClaims: false,
    cookies: { keys: ['a key of the test'] },
    features: {
      devInteractions: { enabled: false },
      backchannelLogout: { enabled: true },
      rpInitiatedLogout: {
        enabled: true,
        // Signs out without asking.
        logoutSource: (context: { body: unknown }, form: string) => {
          context.body = `<!doctype html><title>Sign out</title>${form}<script>
            const form = document.forms[0]; const yes = document.createElement('input')
            yes.name = 'logout'; yes.value = 'yes'; form.append(yes); form.submit()</script>`
        },
      },
    },
    interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    findAccount: (_context: unknown, id: string) =>
      accounts.has(id) ? { accountId: id, claims: async () => ({ sub: id, ...accounts.get(id)! }) } : undefined,
    // Removes the provider's guard against internal addresses, because tests have no other addresses.
    fetch: (url: string, options: RequestInit & { dispatcher?: unknown }) => {
      delete options.dispatcher
      return fetch(url, options)
    },
    ttl: { Session: 3600, Interaction: 600, Grant: 3600, IdToken: 3600, AccessToken: 600, AuthorizationCode: 60 },
  } as never)

  /** Signs in the account that `login_hint` or `as` names, and consents. */
  async function interact(request: IncomingMessage, response: ServerResponse) {
    const { prompt, params, session } = await provider.interactionDetails(request, response)
    const accountId = String(params['login_hint'] ?? state.as)
    if (prompt.name === 'login') return provider.interactionFinished(request, response, { login: { accountId } })
    const grant = new provider.Grant({ accountId: session!.accountId, clientId: String(params['client_id']) })
    grant.addOIDCScope('openid profile email')
    return provider.interactionFinished(request, response, { consent: { grantId: await grant.save() } }, { mergeWithLastSubmission: true })
  }
  const answer = provider.callback()
  handle = (request, response) => {
    if (!request.url!.startsWith('/interaction/')) return void answer(request, response)
    interact(request, response).catch((error: Error) => response.writeHead(500).end(error.message))
  }
  const close = () => {
    server.closeAllConnections()
    return new Promise<void>((resolve) => server.close(() => resolve()))
  }
  after(close)
  return {
    issuer,
    accounts,
    provider,
    close,
    get as() {
      return state.as
    },
    /** The key, in `accounts`, of the account that signs in next. */
    set as(account: string) {
      state.as = account
    },
  }
}
export type TestProvider = Awaited<ReturnType<typeof openProvider>>

/** Adds a provider to the portal and makes it active. Returns its id. */
export async function addProvider(
  { admin }: Pick<TestPortal, 'admin'>,
  { issuer }: { issuer: string },
  fields: Record<string, unknown> = {},
) {
  const settings = { slug: 'entra', nameAr: 'حساب المؤسسة', nameEn: 'Work account', createPeople: true, ...CLIENT, issuer, ...fields }
  const { isActive = true, ...inactive } = settings as typeof settings & { isActive?: boolean }
  const added = await admin.post('/admin/sign-in/providers', inactive)
  if (added.status !== 201) throw new Error(`the provider was not added: ${added.text}`)
  const at = `/admin/sign-in/providers/${added.body.id}`
  const checked = await admin.post(`${at}/check`)
  if (checked.body.problems.length) throw new Error(`the provider has problems: ${checked.text}`)
  if (isActive) await admin.patch(at, { isActive: true })
  return added.body.id as number
}
