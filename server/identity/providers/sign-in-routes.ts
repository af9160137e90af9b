import { Type } from 'typebox'
import { unchanged } from '../../platform/changes/outcome.ts'
import type { Config } from '../../platform/config.ts'
import type { Reads } from '../../platform/database/db.ts'
import { perRun } from '../../platform/database/runs.ts'
import { refuse } from '../../platform/errors/refusal.ts'
import { command, query } from '../../platform/http/endpoint.ts'
import { IdParams } from '../../platform/http/shape.ts'
import { authorizationUrl } from '../../platform/oidc/exchange.ts'
import type { Providers } from '../../platform/oidc/providers.ts'
import type { Secrets } from '../../platform/secrets/secrets.ts'
import { isRegistrationOpen, readSignInSettings } from '../settings/queries.ts'
import { type Attempt, addAttempt, checkReturnTo, newAttempt } from './attempts.ts'
import { clientOf, findActive, findById, findBySlug, listActive, redirectUrlOf, type StoredProvider } from './queries.ts'
import { GoTo, Return, SignInMethods, SlugParams, Start } from './shapes.ts'

const KEPT_MS = 30_000

type Methods = Awaited<ReturnType<typeof readMethods>>
interface Kept {
  methods: Promise<Methods>
  until: number
  /** Grows with each change by this instance that the sign-in page shows. */
  version: number
}
const cacheOf = perRun((): { kept?: Kept } => ({}))

async function readMethods(db: Reads, secrets: Secrets) {
  const [{ passwords, passkeys }, registration, providers] = await Promise.all([
    readSignInSettings(db),
    isRegistrationOpen(db),
    secrets.isConfigured ? listActive(db) : [],
  ])
  return {
    password: passwords,
    passkeys,
    registration,
    providers: providers.map(({ id, slug, nameAr, nameEn, issuer, iconName, isDefault, unreachableSince }) => ({
      ...{ id, slug, nameAr, nameEn, issuer, iconName, isDefault },
      isReachable: unreachableSince === null,
    })),
  }
}

/** The sign-in methods, cached for 30 seconds or until this instance changes them. */
function methodsOf(db: Reads, secrets: Secrets, version: number) {
  const cache = cacheOf(db)
  if (!cache.kept || cache.kept.version !== version || cache.kept.until < performance.now()) {
    const methods = readMethods(db, secrets)
    cache.kept = { methods, version, until: performance.now() + KEPT_MS }
    methods.catch(() => {
      delete cache.kept
    })
  }
  return cache.kept.methods
}

const withAnswers = ({ providers, ...methods }: Methods, { answered }: Providers) => ({
  ...methods,
  providers: providers.map(({ id, isReachable, ...provider }) => ({ ...provider, isReachable: answered(id) ?? isReachable })),
})

export const showMethods = query('GET /auth/methods', {
  summary: 'How people can sign in',
  description: 'It says nothing of accounts. A change may take 30 seconds to show.',
  allow: 'anyone',
  reply: SignInMethods,
  run: async ({ db, secrets, providers }) => withAnswers(await methodsOf(db, secrets, providers.version()), providers),
})

const KeySet = Type.Object({ keys: Type.Array(Type.Record(Type.String(), Type.Unknown())) }, { title: 'KeySet', examples: [{ keys: [] }] })

export const showKeys = query('GET /auth/oidc/:slug/jwks', {
  summary: 'The public key with which the portal proves itself to a provider',
  description: 'For providers with `clientAuth` `private_key_jwt`.',
  allow: 'anyone',
  params: SlugParams,
  reply: KeySet,
  refuses: ['not_found'],
  run: async ({ db, params: { slug } }) => {
    const { publicKey } = (await findBySlug(db, slug)) ?? refuse('not_found')
    return publicKey ? { keys: [publicKey as Record<string, unknown>] } : refuse('not_found')
  },
})

/** How long the start of an attempt waits for the provider’s answer, in ms. */
const WITHIN_MS = 5000

interface Beginning extends Pick<Attempt, 'purpose' | 'returnTo'> {
  loginHint?: string | undefined
}
interface Starting {
  config: Config
  providers: Providers
  secrets: Secrets
  request: { sessionToken: string | undefined }
}
/**
 * Begins an attempt, and returns it with the provider’s URL for the browser. If the provider did not answer last time, asks it again first.
 * Refuses `unavailable`, and `secrets_not_configured` without SECRETS_KEY.
 */
async function begin(
  provider: StoredProvider,
  { purpose, returnTo, loginHint }: Beginning,
  { config, providers, secrets, request }: Starting,
) {
  // Without SECRETS_KEY, the key of cookies is in the database: a reader of the database could forge any attempt.
  if (!secrets.isConfigured) refuse('secrets_not_configured')
  const isDown = providers.answered(provider.id) === false || provider.unreachableSince !== null
  const metadata = isDown
    ? (await providers.refetch(provider, WITHIN_MS)).metadata
    : await providers.metadataOf(provider, provider.stored, WITHIN_MS)
  const session = purpose === 'sign_in' ? undefined : request.sessionToken
  const attempt = newAttempt(provider, { purpose, returnTo, session })
  const redirectUri = redirectUrlOf(config, provider.slug)
  // Otherwise, someone who is still signed in at the provider would come back without being asked.
  const isFresh = purpose === 'confirm'
  return { attempt, url: authorizationUrl(clientOf(secrets, provider), metadata, { ...attempt, redirectUri, loginHint, isFresh }) }
}

interface Begun {
  prepared: Awaited<ReturnType<typeof begin>>
  request: Parameters<typeof addAttempt>[0]
  cookie: Parameters<typeof addAttempt>[1]
}
/** Sets the cookie of the attempt, and answers with the URL. */
async function goTo({ prepared: { attempt, url }, request, cookie }: Begun) {
  addAttempt(request, cookie, attempt)
  return unchanged({ url })
}

export const startSignIn = command('POST /auth/oidc/:slug/start', {
  summary: 'Begin to sign in with a provider',
  description:
    'Answers with the address to which the browser goes next. Nothing is stored but a cookie, `portal_sso`, of which the browser may have five; an attempt lasts 10 minutes.',
  cookies: 'attempt',
  allow: 'anyone',
  params: SlugParams,
  body: Start,
  reply: GoTo,
  refuses: ['not_found', 'unavailable', 'secrets_not_configured'],
  prepare: async ({ db, params: { slug }, body: { loginHint, returnTo }, ...call }) => {
    const beginning = { purpose: 'sign_in', returnTo: checkReturnTo(returnTo), loginHint } as const
    return begin(await findActive(db, slug), beginning, call)
  },
  run: goTo,
})

export const startLinking = command('POST /auth/me/identities/:slug/start', {
  summary: 'Begin to connect one’s account with a provider',
  description: 'The callback leads to `returnTo`, by default `/account/security`, with `failed` in its query if it does not work.',
  cookies: 'attempt',
  allow: 'signed-in',
  confirm: 'person',
  params: SlugParams,
  body: Return,
  reply: GoTo,
  refuses: ['not_found', 'unavailable', 'secrets_not_configured'],
  prepare: async ({ db, params: { slug }, body: { returnTo }, ...call }) =>
    begin(await findActive(db, slug), { purpose: 'link', returnTo: checkReturnTo(returnTo) }, call),
  run: goTo,
})

export const startConfirming = command('POST /auth/me/confirm/:slug', {
  summary: 'Begin to prove who one is with a provider',
  description:
    'The provider is told to ask for the person’s presence. The identity must be the caller’s own. The callback leads to `returnTo`, by default `/account/security`, with `failed` in its query if it does not work.',
  cookies: 'attempt',
  allow: 'signed-in',
  params: SlugParams,
  body: Return,
  reply: GoTo,
  refuses: ['not_found', 'unavailable', 'secrets_not_configured'],
  prepare: async ({ db, params: { slug }, body: { returnTo }, ...call }) => {
    const beginning = { purpose: 'confirm', returnTo: checkReturnTo(returnTo) } as const
    return begin(await findActive(db, slug), beginning, call)
  },
  run: goTo,
})

export const startTrying = command('POST /admin/sign-in/providers/:id/try', {
  summary: 'Begin to try a provider, active or not',
  description: 'The callback leads to `/admin/sign-in?tried=<slug>`, and writes nothing of people, identities, groups and sessions.',
  cookies: 'attempt',
  allow: 'admin',
  confirm: 'person',
  params: IdParams,
  reply: GoTo,
  refuses: ['not_found', 'unavailable', 'secrets_not_configured'],
  prepare: async ({ db, params: { id }, ...call }) => begin(await findById(db, id), { purpose: 'try', returnTo: null }, call),
  run: goTo,
})
