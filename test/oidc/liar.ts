/** A dishonest provider, whose answers a test chooses. */
import { createHmac } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose'
import type { TestBrowser } from './browser.ts'

type Json = Record<string, unknown>
type Answer = (response: ServerResponse, sent: Sent) => void
/** A request to the provider. */
interface Sent {
  form: URLSearchParams
  headers: IncomingHttpHeaders
}

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

export async function openLiar() {
  const pairs = new Map<string, { privateKey: CryptoKey; jwk: JWK }>()
  async function addKey(kid: string) {
    const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true })
    pairs.set(kid, { privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg: 'ES256', use: 'sig' } })
  }
  await addKey('one')

  /** Answers that replace the honest ones, by path. */
  const instead = new Map<string, Answer>()
  /** The id token of each code. */
  const issued = new Map<string, string>()
  const asked: string[] = []
  const honest = () => ({ published: ['one'], kid: 'one', idToken: '', metadata: {} as Json, userinfo: {} as Json, subject: '' })
  const state = honest()
  const server = createServer(async (request, response) => {
    const form = new URLSearchParams(Buffer.concat(await request.toArray()).toString())
    const path = request.url!.split('?')[0]!
    asked.push(path)
    const other = instead.get(path)
    if (other) return other(response, { form, headers: request.headers })
    const body = answers[path]?.(form.get('code') ?? '')
    response.writeHead(body ? 200 : 404, { 'content-type': 'application/json' }).end(JSON.stringify(body ?? {}))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const answers: Record<string, (code: string) => Json> = {
    '/.well-known/openid-configuration': () => ({
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
      userinfo_endpoint: `${issuer}/userinfo`,
      end_session_endpoint: `${issuer}/end`,
      id_token_signing_alg_values_supported: ['ES256', 'HS256', 'none'],
      ...state.metadata,
    }),
    '/jwks': () => ({ keys: state.published.map((kid) => pairs.get(kid)!.jwk) }),
    '/token': (code) => ({ access_token: 'access', token_type: 'Bearer', id_token: issued.get(code) }),
    '/userinfo': () => ({ sub: state.subject, ...state.userinfo }),
  }
  const close = () => {
    server.closeAllConnections()
    return new Promise<void>((resolve) => server.close(() => resolve()))
  }
  after(close)

  const now = () => Math.floor(Date.now() / 1000)
  const claimsFor = (nonce: string, more: Json) => ({
    iss: issuer,
    aud: 'portal',
    sub: 'sara',
    iat: now(),
    exp: now() + 3600,
    nonce,
    ...more,
  })
  const sign = (claims: Json, kid = state.kid, header: Json = {}) =>
    new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid, ...header }).sign(pairs.get(kid)!.privateKey)

  return {
    issuer,
    state,
    instead,
    asked,
    addKey,
    now,
    sign,
    close,
    /** Resets all answers to honest ones. */
    repent() {
      Object.assign(state, honest())
      instead.clear()
      asked.length = 0
    },
    unsigned: (claims: Json) => `${encode({ alg: 'none' })}.${encode(claims)}.`,
    /** A token signed with the public key as a secret. */
    byPublicKey(claims: Json) {
      const { jwk } = pairs.get('one')!
      const text = `${encode({ alg: 'HS256', kid: 'one' })}.${encode(claims)}`
      return `${text}.${createHmac('sha256', JSON.stringify(jwk)).update(text).digest('base64url')}`
    },
    /**
     * Answers an attempt to sign in with a token of these claims, which `make` writes. Returns the page to which the portal redirects the
     * browser.
     */
    async answer(
      browser: TestBrowser,
      more: Json = {},
      {
        make = sign,
        query = {},
        at,
      }: { make?: (claims: Json) => Promise<string> | string; query?: Record<string, string>; at?: string } = {},
    ) {
      const url = new URL(at ?? (await browser.start('liar')))
      const [attempt, nonce] = [url.searchParams.get('state')!, url.searchParams.get('nonce')!]
      const claims = claimsFor(nonce, more)
      Object.assign(state, { idToken: await make(claims), subject: claims.sub })
      issued.set(attempt, state.idToken)
      const sent = new URLSearchParams({ code: attempt, state: attempt, ...query })
      return (await browser.follow(`/api/auth/oidc/liar/callback?${sent}`)).path
    },
  }
}
export type Liar = Awaited<ReturnType<typeof openLiar>>
