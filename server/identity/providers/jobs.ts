import { sql } from 'kysely'
import { findAdministrators } from '../../platform/auth/last-admin.ts'
import { type Change, changedIf, unchanged } from '../../platform/changes/outcome.ts'
import { mailNotice } from '../../platform/jobs/mailing.ts'
import type { Job } from '../../platform/jobs/runner.ts'
import { SignInFailure } from '../../platform/oidc/failures.ts'
import { keepMetadata, listActive, noteSilent } from './queries.ts'
import { providerNotices } from './rules.ts'
import { forgetResults } from './test-run.ts'

/** Metadata is fetched again before it is an hour old. */
const RENEW_MS = 50 * 60_000

/**
 * Renews the stored metadata of active providers, asks silent ones again, and notifies administrators of those that have been silent for a
 * quarter of an hour.
 */
export const watchProviders: Job = async (_payload, { db, config, providers, transact }) => {
  for (const provider of await listActive(db.reads)) {
    const { stored, unreachableSince } = provider
    const age = stored.fetchedAt ? Date.now() - stored.fetchedAt.getTime() : Number.POSITIVE_INFINITY
    if (unreachableSince === null && age < RENEW_MS) continue
    try {
      const { metadata } = await providers.refetch(provider)
      await transact(null, async (tx) => {
        await keepMetadata(tx, provider.id, metadata)
        return unchanged(null)
      })
    } catch (error) {
      if (!(error instanceof SignInFailure)) throw error
    }
  }
  await providers.note()
  await transact(null, async (tx) => {
    const silent = await noteSilent(tx)
    const told = silent.length ? await findAdministrators(tx) : []
    for (const provider of silent)
      for (const administrator of told) await mailNotice(tx, config, administrator, providerNotices['provider.unreachable'](provider))
    return changedIf(
      null,
      silent.map(({ id, ...facts }): Change => ({ kind: 'provider.unreachable', targetId: id, facts })),
    )
  })
}

/** Deletes counts that no page shows any more, and results of test runs. */
export const forgetProviderNotes: Job = async (_payload, { transact }) => {
  await transact(null, async (tx) => {
    await sql`delete from provider_counts where hour < now() - interval '2 days'`.execute(tx)
    await forgetResults(tx)
    return unchanged(null)
  })
}
