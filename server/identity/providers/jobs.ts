import { type Change, changedIf, unchanged } from '../../platform/changes/outcome.ts'
import type { Job } from '../../platform/jobs/runner.ts'
import { SignInFailure } from '../../platform/oidc/failures.ts'
import { keepMetadata, listActive, noteSilent } from './queries.ts'

/** Metadata is fetched again before it is an hour old. */
const RENEW_MS = 50 * 60_000

/**
 * Renews the stored metadata of active providers, asks unreachable ones again, and notifies administrators of providers that have not
 * answered for a quarter of an hour.
 */
export const watchProviders: Job = async (_payload, { db, providers, transact }) => {
  for (const provider of await listActive(db.reads)) {
    const { stored, unreachableSince } = provider
    const age = stored.fetchedAt ? Date.now() - stored.fetchedAt.getTime() : Number.POSITIVE_INFINITY
    if (unreachableSince === null && age < RENEW_MS) continue
    try {
      const { metadata } = await providers.refetch(provider)
      await transact(null, async (tx) => {
        await keepMetadata(tx, provider, metadata)
        return unchanged(null)
      })
    } catch (error) {
      if (!(error instanceof SignInFailure)) throw error
    }
  }
  await providers.note()
  await transact(null, async (tx) => {
    const silent = await noteSilent(tx)
    return changedIf(
      null,
      silent.map(({ id, ...facts }): Change => ({ kind: 'provider.unreachable', targetId: id, facts })),
    )
  })
}
