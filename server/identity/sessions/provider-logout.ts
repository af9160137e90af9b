/** The address at which signing out continues at the provider of a session. */
import { sql } from 'kysely'
import type { Config } from '../../platform/config.ts'
import type { Reads } from '../../platform/database/db.ts'
import type { Providers, Stored } from '../../platform/oidc/providers.ts'
import type { Secrets } from '../../platform/secrets/secrets.ts'
import { idTokenAt } from './queries.ts'

interface Services {
  db: Reads
  config: Config
  providers: Providers
  secrets: Secrets
}
interface Begun extends Stored {
  id: number
  issuer: string
  clientId: string
  logoutHint: string
  idToken: Buffer | null
}

/** The provider at which a session began, if signing out has to lead there. */
export async function findProviderOf(db: Reads, sessionId: number) {
  const { rows } = await sql<Begun>`
    select p.id, p.issuer, p.client_id, p.logout_hint, state.metadata, state.fetched_at, s.id_token
    from sessions s join sign_in_providers p on p.id = s.provider_id and p.is_active and p.logout = 'provider'
      left join provider_states state on state.provider_id = p.id
    where s.id = ${sessionId}`.execute(db)
  return rows[0]
}

/**
 * The address at which the provider ends its own session; undefined if signing out does not lead to a provider, or if the provider’s
 * metadata are missing or have no such address.
 */
export async function endSessionUrlOf(sessionId: number, { db, config, providers, secrets }: Services) {
  const provider = await findProviderOf(db, sessionId)
  const metadata = provider && (await providers.metadataOf(provider, provider).catch(() => undefined))
  if (!provider || !metadata?.end_session_endpoint) return undefined
  const url = new URL(metadata.end_session_endpoint)
  url.searchParams.set('client_id', provider.clientId)
  url.searchParams.set('post_logout_redirect_uri', `${config.publicUrl}/sign-in?local=1`)
  // Without SECRETS_KEY, people still sign out.
  if (provider.logoutHint === 'id_token' && provider.idToken && secrets.isConfigured)
    url.searchParams.set('id_token_hint', secrets.decrypt(idTokenAt(sessionId), provider.idToken))
  return url.href
}
