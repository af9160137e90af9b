/** Servers with single endpoints that exist only in a test. */
import { after } from 'node:test'
import { scopes } from '../server/identity/tokens/rules.ts'
import { deletionHooks } from '../server/lists/deletion-hooks.ts'
import { openLimits } from '../server/platform/auth/limits.ts'
import { openEntrance } from '../server/platform/auth/scopes.ts'
import { openSessions } from '../server/platform/auth/sessions.ts'
import { openDeletionHooks } from '../server/platform/changes/deletion-hooks.ts'
import type { CommandEndpoint, Endpoint } from '../server/platform/http/endpoint.ts'
import { longReplies } from '../server/platform/http/long-replies.ts'
import { serve } from '../server/platform/http/serve.ts'
import { openSourceRefusals } from '../server/platform/http/source-refusals.ts'
import { type Instance, quiet } from './portal.ts'

/**
 * Returns a function that serves one endpoint on the database of an instance. Call this before `testPortal`: the hook that closes the
 * servers must come before the one that drops the database.
 */
export function servingOnly(instance: () => Instance) {
  const closings: (() => Promise<unknown>)[] = []
  after(async () => {
    for (const close of closings) await close()
  })
  return async (endpoint: Endpoint) => {
    const { db } = instance()
    const sessions = openSessions(db, 7, () => {})
    const app = await serve(
      {
        ...instance(),
        deletionHooks: openDeletionHooks(deletionHooks),
        commandNamed: () => endpoint as CommandEndpoint,
        sessions,
        enter: openEntrance(scopes),
        limits: openLimits(db.pools.write, false),
        ...longReplies(),
        log: quiet,
        noteSourceRefusal: openSourceRefusals(db.pools.write, () => {}),
      },
      [endpoint],
    )
    closings.push(() => app.close(), sessions.close)
    return app
  }
}
