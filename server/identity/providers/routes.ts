import { generateKeyPairSync } from 'node:crypto'
import { Type } from 'typebox'
import { changedFields } from '../../platform/changes/change-kind.ts'
import { type Change, changedIf, unchanged } from '../../platform/changes/outcome.ts'
import { accessUnlessTexts, concernsAccess } from '../../platform/changes/texts.ts'
import type { Config } from '../../platform/config.ts'
import type { Reads, Tx } from '../../platform/database/db.ts'
import { lockExisting } from '../../platform/database/sets.ts'
import { fieldError } from '../../platform/errors/field-errors.ts'
import { quotaExceeded, refuse, refuseFields } from '../../platform/errors/refusal.ts'
import { command, query } from '../../platform/http/endpoint.ts'
import { IdParams, Nothing } from '../../platform/http/shape.ts'
import type { ClientAuth } from '../../platform/oidc/exchange.ts'
import type { Metadata } from '../../platform/oidc/metadata.ts'
import type { Providers } from '../../platform/oidc/providers.ts'
import type { Secrets } from '../../platform/secrets/secrets.ts'
import { checkRules, endSessionsOfProvider, removeProvider, settleGroups } from './administration.ts'
import { providerChanges } from './changes.ts'
import { checkProvider } from './check.ts'
import {
  columnsOf,
  countIdentities,
  countProviders,
  dropDefault,
  encryptKey,
  encryptSecret,
  findById,
  forgetState,
  insertProvider,
  keepMetadata,
  lockProvider,
  lockUnlessChanging,
  nextId,
  publicKeyOf,
  readProvider,
  readProviders,
  replaceRules,
  updateProvider,
} from './queries.ts'
import { checkSettings, MOST_PROVIDERS } from './rules.ts'
import {
  Deletion,
  defaultClaims,
  LastMethodConflict,
  NewProvider,
  Provider,
  ProviderCheck,
  ProviderConflict,
  ProviderEdit,
  ProviderTry,
} from './shapes.ts'
import { readResult } from './test-run.ts'

export const listProviders = query('GET /admin/sign-in/providers', {
  summary: 'The providers that people can sign in with, in their order',
  allow: 'admin',
  scope: 'admin:read',
  reply: Type.Array(Provider),
  run: ({ db, config, providers }) => readProviders(db, config, providers),
})

export const showProvider = query('GET /admin/sign-in/providers/:id', {
  summary: 'One provider',
  description: 'The secret is never shown. Counts are those of the last 24 hours.',
  allow: 'admin',
  scope: 'admin:read',
  record: Provider,
  params: IdParams,
  reply: Provider,
  refuses: ['not_found'],
  run: ({ db, config, providers, params: { id } }) => readProvider(db, config, providers, id),
})

const isNotChecked = () => refuseFields([fieldError('isActive', 'checked')])

/** The columns for the client secret in the body, and for a new key pair if the `clientAuth` in the body needs one. */
function secretColumns(secrets: Secrets, id: number, { clientSecret, clientAuth }: ProviderEdit, hasKey = false) {
  const makesKey = clientAuth === 'private_key_jwt' && !hasKey
  const pair = makesKey ? generateKeyPairSync('ec', { namedCurve: 'P-256' }) : undefined
  return {
    ...(clientSecret !== undefined && { clientSecret: clientSecret === null ? null : encryptSecret(secrets, id, clientSecret) }),
    ...(pair && {
      privateKey: encryptKey(secrets, id, pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()),
      publicKey: JSON.stringify(publicKeyOf(pair.publicKey.export({ format: 'jwk' }))),
    }),
  }
}

/** Locks the source that a body names, so that nobody deletes it. Refuses `unknown_ids`. */
const lockSource = (tx: Tx, id: number | null | undefined) => lockExisting(tx, 'provisioningSources', id ? [id] : [])

/** Makes the former default provider an ordinary one. Returns the changes. */
const takeDefault = async (tx: Tx, id: number) =>
  (await dropDefault(tx, id)).map((other): Change => {
    const changed = { isDefault: { from: true, to: false } }
    return { kind: 'provider.updated', targetId: other.id, facts: { slug: other.slug, changed } }
  })

export const createProvider = command('POST /admin/sign-in/providers', {
  summary: 'Add a provider that people can sign in with',
  description: 'It is not active until a check has found no problems. At most 20.',
  allow: 'admin',
  confirm: 'person',
  locks: 'access',
  record: Provider,
  body: NewProvider,
  reply: Provider,
  status: 201,
  refuses: ['slug_taken', 'unknown_ids', 'system_group', 'managed_elsewhere', 'grants_admin', 'quota_exceeded', 'secrets_not_configured'],
  run: async ({ tx, body, config, secrets, providers }) => {
    if (body.isActive) isNotChecked()
    const { issuer, scopes = 'openid profile email', linking = 'ask', domains = [], groupRules = [], groupMode = 'add' } = body
    checkSettings({ issuer, scopes, linking, domains }, config.ssoInternalHosts)
    const used = await countProviders(tx)
    if (used >= MOST_PROVIDERS) throw quotaExceeded({ quota: 'sign_in_providers', used, allowed: MOST_PROVIDERS })
    const id = await nextId(tx)
    const clientAuth: ClientAuth = body.clientAuth ?? (body.clientSecret ? 'basic' : 'none')
    const columns = { ...columnsOf(body), ...secretColumns(secrets, id, { ...body, clientAuth }), clientAuth }
    await checkRules(tx, id, groupMode, groupRules)
    await lockSource(tx, body.sourceId)
    const lost = body.isDefault ? await takeDefault(tx, id) : []
    const { slug, nameAr, nameEn, clientId } = body
    const claims = JSON.stringify({ ...defaultClaims, ...body.claims })
    await insertProvider(tx, { ...columns, claims, slug, nameAr, nameEn, issuer, clientId, id })
    await replaceRules(tx, id, groupRules)
    const groups = await settleGroups(tx, { id, slug }, groupMode, groupRules)
    const created: Change = { kind: 'provider.created', targetId: id, facts: { slug, nameAr, nameEn } }
    return changedIf(await readProvider(tx, config, providers, id), [created, ...lost, ...groups])
  },
})

interface Looking {
  db: Reads
  config: Config
  providers: Providers
}

type Stored = Awaited<ReturnType<typeof findById>>

/** The settings that a check is about, with the changes of the body applied, as text to compare. */
function checkedSettings(stored: Stored, body: ProviderEdit = {}) {
  const { issuer, clientId, clientAuth, clientSecret } = { ...stored, ...body }
  return JSON.stringify([issuer, clientId, clientAuth, clientSecret])
}

/** Checks the stored settings with the changes of the body applied. Returns the settings that were checked as well. */
async function checkFor({ db, config, providers }: Looking, id: number, body: ProviderEdit = {}) {
  const stored = await findById(db, id)
  const { issuer = stored.issuer, clientSecret } = body
  const clientAuth = (body.clientAuth ?? stored.clientAuth) as ClientAuth
  const hasSecret = clientSecret === undefined ? stored.clientSecret !== null : clientSecret !== null
  const found = await checkProvider(providers.askOf({ id, issuer }), config.ssoInternalHosts, { issuer, clientAuth, hasSecret })
  return { ...found, settings: checkedSettings(stored, body) }
}

/** Refuses a new issuer while identities exist: the same `sub` would be another person there. */
async function checkIssuer(db: Reads, { id, issuer }: { id: number; issuer: string }, body: ProviderEdit) {
  const identityCount = body.issuer === undefined || body.issuer === issuer ? 0 : await countIdentities(db, id)
  if (identityCount) refuse('has_dependents', { body: { identityCount } })
}

/** Whether a body changes a setting after which a provider must be checked again. */
const isOther = (before: { issuer: string; clientId: string; clientAuth: string }, body: ProviderEdit) =>
  body.clientSecret !== undefined ||
  (['issuer', 'clientId', 'clientAuth'] as const).some((field) => body[field] !== undefined && body[field] !== before[field])

export const changeProvider = command('PATCH /admin/sign-in/providers/:id', {
  summary: 'Change a provider; its slug stays',
  description:
    'Omitted fields do not change, nor do omitted names of claims; `groupRules` replaces all rules. What changes how an active provider is reached is checked before it is kept. Deactivating it ends the sessions that began there.',
  allow: 'admin',
  confirm: 'person',
  locks: accessUnlessTexts(providerChanges['provider.updated']),
  record: Provider,
  params: IdParams,
  body: ProviderEdit,
  reply: Provider,
  refuses: [
    'not_found',
    'unknown_ids',
    'system_group',
    'managed_elsewhere',
    'grants_admin',
    'quota_exceeded',
    'secrets_not_configured',
    { code: 'has_dependents', body: ProviderConflict },
  ],
  prepare: async ({ params: { id }, body, ...call }): Promise<{ metadata: Metadata; settings: string } | null> => {
    const stored = await findById(call.db, id)
    if (!isOther(stored, body)) return null
    checkSettings({ ...stored, ...body }, call.config.ssoInternalHosts)
    // This comes before the check of the provider, because the new issuer may not answer.
    await checkIssuer(call.db, stored, body)
    if (!stored.isActive || body.isActive === false) return null
    const { metadata, settings } = await checkFor(call, id, body)
    return { metadata: metadata ?? isNotChecked(), settings }
  },
  run: async ({ tx, ifMatch, params: { id }, body: sent, config, secrets, providers, prepared: checked }) => {
    const stored = await lockProvider(tx, id)
    const before = await readProvider(tx, config, providers, id)
    await ifMatch(() => before)
    const { claims, ...others } = sent
    const body = { ...others, ...(claims && { claims: { ...before.claims, ...claims } }) }
    const after = { ...before, ...body }
    checkSettings(after, config.ssoInternalHosts)
    const isOtherNow = isOther(stored, body)
    await checkIssuer(tx, before, body)
    // Another call may have changed other settings since the check.
    const metadata = checked?.settings === checkedSettings(stored, body) ? checked!.metadata : null
    const isChecked = metadata !== null || (before.isChecked && !isOtherNow)
    if (after.isActive && !isChecked) isNotChecked()
    if (body.isActive && !secrets.isConfigured) refuse('secrets_not_configured')
    const { clientSecret: secret, ...fields } = body
    const differences = changedFields(before, fields)
    const isSecretChanged = secret !== undefined
    if (Object.keys(differences).length === 0 && !isSecretChanged) return unchanged(before)

    await checkRules(tx, id, after.groupMode, after.groupRules)
    await lockSource(tx, body.sourceId)
    const lost = body.isDefault ? await takeDefault(tx, id) : []
    const checkedAt = isOtherNow ? { checkedAt: metadata ? new Date() : null } : {}
    await updateProvider(tx, id, { ...columnsOf(body), ...secretColumns(secrets, id, body, stored.publicKey !== null), ...checkedAt })
    if (body.groupRules) await replaceRules(tx, id, body.groupRules)
    const changes: Change[] = [
      {
        kind: 'provider.updated',
        targetId: id,
        facts: { slug: before.slug, changed: differences, ...(isSecretChanged && { isSecretChanged }) },
      },
      ...lost,
      ...(concernsAccess(providerChanges['provider.updated'], body)
        ? await settleGroups(tx, before, after.groupMode, after.groupRules)
        : []),
      ...(before.isActive && !after.isActive ? await endSessionsOfProvider(tx, id) : []),
    ]
    // After the memberships of managed groups: docs/lock-order.md.
    if (metadata) await keepMetadata(tx, after, metadata)
    else if (isOtherNow) await forgetState(tx, id)
    providers.forget(id)
    return changedIf(await readProvider(tx, config, providers, id), changes)
  },
})

export const deleteProvider = command('DELETE /admin/sign-in/providers/:id', {
  summary: 'Delete a provider with its identities; people stay',
  description:
    'The sessions that began there end. It is refused while people have no other way to sign in; `force` invites these people to choose a password.',
  allow: 'admin',
  confirm: 'person',
  locks: 'access',
  record: Provider,
  params: IdParams,
  query: Deletion,
  reply: Nothing,
  status: 204,
  refuses: ['not_found', { code: 'last_sign_in_method', body: LastMethodConflict }],
  run: async ({ tx, ifMatch, params: { id }, query: { force = false }, config, providers }) => {
    await lockProvider(tx, id)
    const before = await readProvider(tx, config, providers, id)
    await ifMatch(() => before)
    return changedIf(null, await removeProvider(tx, before, force, config))
  },
})

export const checkOne = command('POST /admin/sign-in/providers/:id/check', {
  summary: 'Check what a provider says of itself',
  description:
    'Asks for its metadata and its keys, and compares the clocks. A provider can become active once a check has found no problems.',
  allow: 'admin',
  confirm: 'person',
  params: IdParams,
  reply: ProviderCheck,
  refuses: ['not_found'],
  prepare: ({ params: { id }, ...call }) => checkFor(call, id),
  run: async ({ tx, params: { id }, prepared: { check, metadata, settings } }) => {
    if (!metadata) return unchanged(check)
    const stored = await lockUnlessChanging(tx, id)
    // Another call may have changed the settings since the check.
    if (!stored || checkedSettings(stored) !== settings) return unchanged(check)
    await keepMetadata(tx, stored, metadata)
    if (stored.checkedAt) return unchanged(check)
    await updateProvider(tx, id, { checkedAt: new Date() })
    return changedIf(check, [{ kind: 'provider.checked', targetId: id, facts: {} }])
  },
})

export const showTry = query('GET /admin/sign-in/providers/:id/try', {
  summary: 'What came of trying a provider',
  description: 'For the session that began it, within 10 minutes.',
  allow: 'admin',
  params: IdParams,
  reply: ProviderTry,
  refuses: ['not_found', 'secrets_not_configured'],
  run: ({ db, session, secrets, params: { id } }) => readResult(db, secrets, id, session.id),
})
