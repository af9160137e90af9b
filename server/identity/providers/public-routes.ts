import { Type } from 'typebox'
import type { Reads } from '../../platform/database/db.ts'
import { perRun } from '../../platform/database/runs.ts'
import { refuse } from '../../platform/errors/refusal.ts'
import { query } from '../../platform/http/endpoint.ts'
import type { Providers } from '../../platform/oidc/providers.ts'
import type { Secrets } from '../../platform/secrets/secrets.ts'
import { isRegistrationOpen, readSignInSettings } from '../settings/queries.ts'
import { findBySlug, listActive } from './queries.ts'
import { SignInMethods, SlugParams } from './shapes.ts'

const KEPT_MS = 30_000

type Methods = Awaited<ReturnType<typeof readMethods>>
interface Kept {
  methods: Promise<Methods>
  until: number
  /** Of what this instance itself has changed. */
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

/** The methods as they were within the last 30 seconds, or since this instance changed them. */
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
