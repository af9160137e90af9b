import { inSnapshot } from '../platform/database/db.ts'
import { query } from '../platform/http/endpoint.ts'
import { IdParams } from '../platform/http/shape.ts'
import { listActiveApps, readHoldings, readLock } from './queries.ts'
import { describeAccess, explain } from './rules.ts'
import { Access, AccessQuery, EffectiveAccess } from './shapes.ts'

export const explainAccess = query('GET /admin/access', {
  summary: 'Whether a person sees an app, and why, or what would make it visible to them',
  description: 'Nothing is changed. By what grants it now, or by what would.',
  allow: 'admin',
  query: AccessQuery,
  reply: Access,
  refuses: ['not_found'],
  run: ({ db, actor, query: { userId, appId } }) =>
    inSnapshot(db, async (snapshot) => {
      const person = await readHoldings(snapshot, userId, actor.language)
      return explain(await readLock(snapshot, appId, actor.language), person)
    }),
})

export const readEffectiveAccess = query('GET /users/:id/effective-access', {
  summary: 'The roles, permissions and apps of a person, each with its sources',
  description: 'Held directly, or through a group.',
  allow: 'admin',
  params: IdParams,
  reply: EffectiveAccess,
  refuses: ['not_found'],
  run: ({ db, actor, params: { id } }) =>
    inSnapshot(db, async (snapshot) => {
      const person = await readHoldings(snapshot, id, actor.language)
      return describeAccess(person, await listActiveApps(snapshot, actor.language))
    }),
})
