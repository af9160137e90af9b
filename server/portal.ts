/** Opens the whole portal on a migrated database: jobs, events, server. */

import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import type { Logger } from 'pino'
import { scopes } from './identity/tokens/rules.ts'
import { changeKinds } from './lists/changes.ts'
import { deletionHooks } from './lists/deletion-hooks.ts'
import { endpoints } from './lists/features.ts'
import { jobs, schedule } from './lists/jobs.ts'
import { record, unentitled } from './lists/recording.ts'
import { openLimits } from './platform/auth/limits.ts'
import { openPasswords, type Passwords } from './platform/auth/passwords.ts'
import { openEntrance } from './platform/auth/scopes.ts'
import { openSessions } from './platform/auth/sessions.ts'
import type { AnyKind, Author } from './platform/changes/change-kind.ts'
import { openDeletionHooks } from './platform/changes/deletion-hooks.ts'
import type { Change } from './platform/changes/outcome.ts'
import { transactor } from './platform/changes/transact.ts'
import { openTransactMany } from './platform/changes/transact-many.ts'
import type { Config } from './platform/config.ts'
import { patiently } from './platform/database/client.ts'
import { type Db, openDb, poolSize } from './platform/database/db.ts'
import { openLeases } from './platform/database/leases.ts'
import { openHub } from './platform/events/hub.ts'
import type { CommandEndpoint } from './platform/http/endpoint.ts'
import { longReplies } from './platform/http/long-replies.ts'
import { serve } from './platform/http/serve.ts'
import { openSourceRefusals } from './platform/http/source-refusals.ts'
import { startJobs } from './platform/jobs/runner.ts'
import { openObjects } from './platform/objects/open.ts'
import { openProviders } from './platform/oidc/providers.ts'
import { addDocument } from './platform/openapi/serving.ts'
import { bareHost, openOutbound } from './platform/outbound.ts'
import { deriveKey } from './platform/secrets/cipher.ts'
import { openEncryptedCookies } from './platform/secrets/cookies.ts'
import { openMadeKey } from './platform/secrets/made-key.ts'
import { keysOf, openSecrets } from './platform/secrets/secrets.ts'
import { openSecurityLog, type WatchedKind } from './platform/security-log.ts'
import { openAuditStream } from './record/audit-stream/audit-stream.ts'
import { AT_ONCE, MOST_WEBHOOKS } from './record/webhooks/rules.ts'
import { messages } from './record/webhooks/types.ts'
import { openWebhooks } from './record/webhooks/webhooks.ts'
import { pagesAnswer } from './site/pages/answer.ts'
import type { BuiltPages } from './site/pages/built.ts'
import { current } from './site/system/feed.ts'
import { openHandOver } from './work/push/hand-over.ts'

const kinds: Record<string, AnyKind> = changeKinds
const commands = new Map(endpoints.flatMap((endpoint) => (endpoint.does === 'command' ? [[endpoint.operationId, endpoint] as const] : [])))
function commandNamed(operationId: string): CommandEndpoint {
  const command = commands.get(operationId)
  if (!command) throw new Error(`no command is named ${operationId}`)
  return command
}
/** Kinds of changes whose results the sign-in page shows. */
const SHOWN = /^(provider|settings|sign_in_settings)\./
const securityEvents = new Map(
  Object.entries(kinds).flatMap(([name, { isSecurityEvent, targetType }]): [string, WatchedKind][] =>
    isSecurityEvent ? [[name, { targetType, isWarning: isSecurityEvent === 'warning' }]] : [],
  ),
)

/**
 * Opens a portal on a migrated database, ready to listen, with its pages if they are given. `crontab` says when the regular jobs run.
 * `close` drains it: streams end, jobs finish, connections close.
 */
export async function openPortal(
  config: Config,
  connection: pg.PoolConfig,
  log: Logger,
  {
    passwords = openPasswords(),
    patience = 1,
    pages,
    crontab = schedule,
  }: { passwords?: Passwords; patience?: number; pages?: BuiltPages; crontab?: string } = {},
) {
  // If a later part fails to open, the parts that are open are closed again.
  await using opened = new AsyncDisposableStack()
  const db = openDb(connection, {
    size: poolSize(config.workers),
    patience,
    onError: (error) => log.warn({ cause: error.message }, 'a database connection was lost'),
  })
  opened.defer(db.close)
  const warn = (error: unknown) => log.warn({ cause: (error as Error).message }, 'the database did not answer')
  const sessions = openSessions(db, config.sessionTtlDays, warn)
  opened.defer(sessions.close)
  const limits = openLimits(db.pools.write, config.rateLimits)
  const hub = await patiently('the database', () => openHub(db, warn))
  opened.defer(hub.close)
  const leases = openLeases(connection, warn, patience)
  opened.defer(leases.close)
  const objects = await openObjects(config)
  opened.defer(objects.close)
  const handOver = openHandOver(db.writes, warn)
  opened.defer(handOver.close)
  const { keys, close: closeKey } = await openKeys(config, db, warn)
  opened.defer(closeKey)
  const stream = openAuditStream({ config, db, leases, transact: () => transact, log, version: current.version }, warn)
  opened.defer(stream.close)
  const security = openSecurityLog(log, deriveKey(keys()[0], 'log'), securityEvents, config.workers, stream.add)
  opened.defer(security.close)
  const announce = (author: Author, changes: Change[]) => {
    hub.announce()
    handOver.wake()
    webhooks.wake()
    stream.wake()
    security.noteChanges(author, changes)
    if (changes.some(({ kind }) => SHOWN.test(kind))) providers.noteChange()
  }
  const transact = transactor(db, record, unentitled, announce)
  const transactMany = openTransactMany(db, record, announce)
  // Separate from pushes: people who choose a push endpoint must not reach the operator's internal addresses.
  const outbound = openOutbound({ internalHosts: config.versionFeedUrl ? [bareHost(new URL(config.versionFeedUrl).hostname)] : [] })
  const pictures = openOutbound()
  const providers = openProviders(
    db,
    openOutbound({ internalHosts: config.ssoInternalHosts, isEager: true, patience }),
    config.ssoInternalHosts,
    {
      log: security.noteFailedAttempt,
      onError: warn,
      rateLimits: config.rateLimits,
    },
  )
  opened.defer(providers.close)
  const secrets = openSecrets(config)
  // Webhooks have connections of their own, so that a slow receiver does not slow pushes.
  const webhookOutbound = openOutbound({ internalHosts: config.webhookInternalHosts, isEager: true, connections: MOST_WEBHOOKS * AT_ONCE })
  const webhooks = openWebhooks({ db, leases, outbound: webhookOutbound, secrets, transact, log, version: current.version }, warn)
  opened.defer(webhooks.close)
  const encryptedCookies = openEncryptedCookies(keys)
  const hooks = openDeletionHooks(deletionHooks)
  const app = await serve(
    {
      config,
      db,
      sessions,
      enter: openEntrance(scopes),
      passwords,
      deletionHooks: hooks,
      commandNamed,
      limits,
      hub,
      leases,
      ...longReplies(),
      transact,
      transactMany,
      objects,
      outbound,
      pictures,
      providers,
      secrets,
      encryptedCookies,
      log,
      security,
      noteSourceRefusal: openSourceRefusals(db.pools.write, warn),
    },
    endpoints,
    { addRoutes: (app) => addDocument(app, endpoints, config, messages), elsewhere: pages && pagesAnswer(pages, config) },
  )
  opened.defer(() => app.close())
  const pushOutbound = openOutbound({ internalHosts: config.pushInternalHosts, patience })
  const runner = await startJobs(
    { jobs, schedule: crontab },
    { db, config, log, transact, deletionHooks: hooks, hub, limits, objects, providers, outbound: pushOutbound },
  )
  opened.move()
  // Closed together: a running job may wait for an outbound answer.
  const stopJobs = async () =>
    void (await Promise.all([runner.stop(), pushOutbound.close(), outbound.close(), pictures.close(), providers.close(), webhooks.close()]))
  return {
    app,
    db,
    sessions,
    passwords,
    transact,
    transactMany,
    hub,
    leases,
    objects,
    outbound,
    pictures,
    providers,
    secrets,
    encryptedCookies,
    security,
    close: () =>
      closeInOrder(app, [
        hub.close,
        handOver.close,
        stopJobs,
        async () => security.close(),
        stream.close,
        closeKey,
        sessions.close,
        objects.close,
        leases.close,
        db.close,
      ]),
  }
}

/** The keys of cookies, the present one first: the operator's or, without one, a key that the instances share. */
async function openKeys(config: Config, db: Db, warn: (error: unknown) => void) {
  const [key, ...former] = keysOf(config)
  if (!key) return patiently('the database', () => openMadeKey(db.pools.write, warn))
  const keys = [key, ...former] as const
  return { keys: () => keys, close: async () => {} }
}

const PARTS_WITHIN_MS = 2000

/**
 * Stops accepting and ends streams first, so that the server can finish running requests before its parts close. A part that waits
 * for a hanging database is abandoned.
 */
async function closeInOrder(app: FastifyInstance, [endStreams, ...parts]: (() => Promise<void>)[]) {
  const drained = app.close()
  const ended = endStreams!()
  await drained
  const closeParts = async () => {
    await ended
    for (const part of parts) await part()
  }
  await Promise.race([closeParts(), sleep(PARTS_WITHIN_MS, undefined, { ref: false })])
}
