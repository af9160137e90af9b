import { inSnapshot } from '../../platform/database/db.ts'
import { query } from '../../platform/http/endpoint.ts'
import { pageOf } from '../../platform/http/page.ts'
import { IdParams } from '../../platform/http/shape.ts'
import { inSnapshotOf } from './past.ts'
import { listActiveApps, pageHolders, pageViewers, readHoldingsOf, readLock } from './queries.ts'
import { describeAccess, explain, reasonsToSee, wayOf } from './rules.ts'
import {
  Access,
  AccessQuery,
  AccessWays,
  AppAudiencePage,
  AudienceQuery,
  EffectiveAccess,
  HoldersQuery,
  MOST_WAYS,
  PastAccessQuery,
  PastQuery,
  RoleHoldersPage,
} from './shapes.ts'
import { findWays } from './way-queries.ts'

const AT_DESCRIBED =
  'With `at`, it is what held just after everything that had happened by then, with the names of that time; what did not exist then is not found, and what is deleted by now may be.'

export const explainAccess = query('GET /admin/access', {
  summary: 'Whether a person sees an app, and why, or what would make it visible to them',
  description: `This changes nothing. The answer has the reasons why they see it now or, if they do not, what would make them see it. ${AT_DESCRIBED}`,
  allow: 'admin',
  scope: 'people:read',
  query: PastAccessQuery,
  reply: Access,
  refuses: ['not_found'],
  run: ({ db, actor, query: { userId, appId, at } }) =>
    inSnapshotOf(db, at, async (snapshot) => {
      const person = await readHoldingsOf(snapshot, userId, actor.language)
      return explain(await readLock(snapshot, appId, actor.language), person)
    }),
})

export const readAccessWays = query('GET /admin/access/ways', {
  summary: 'The ways to show an app to a person or to hide it from them, those with the fewest side effects first',
  description: `If they already see it, each way ends some of the reasons, and they see it until all have ended. No way makes anybody an administrator. Sorted by the number of other apps and people affected, then by the reasons ended; at most ${MOST_WAYS}. Of the permissions that the app could require, five are tried. There are none while the app or the person is inactive.`,
  allow: 'admin',
  scope: 'people:read',
  query: AccessQuery,
  reply: AccessWays,
  refuses: ['not_found'],
  run: ({ db, actor, query: { userId, appId } }) => inSnapshot(db, (snapshot) => findWays(snapshot, userId, appId, actor.language)),
})

export const readEffectiveAccess = query('GET /users/:id/effective-access', {
  summary: 'The roles, permissions and apps of a person, each with its sources',
  description: `Roles are held directly or through a group. ${AT_DESCRIBED}`,
  allow: 'admin',
  scope: 'people:read',
  params: IdParams,
  query: PastQuery,
  reply: EffectiveAccess,
  refuses: ['not_found'],
  run: ({ db, actor, params: { id }, query: { at } }) =>
    inSnapshotOf(db, at, async (snapshot) => {
      const person = await readHoldingsOf(snapshot, id, actor.language)
      return describeAccess(person, await listActiveApps(snapshot, actor.language))
    }),
})

export const readAppAudience = query('GET /apps/:id/audience', {
  summary: 'Everyone who sees an app, each with all the reasons, by name',
  description: '`q` ignores case, diacritics and letter variants. Nobody sees an inactive app, and inactive people see none.',
  allow: 'admin',
  scope: 'admin:read',
  params: IdParams,
  query: AudienceQuery,
  reply: AppAudiencePage,
  refuses: ['not_found'],
  run: ({ db, actor, params: { id }, query }) =>
    inSnapshot(db, async (snapshot) => {
      const app = await readLock(snapshot, id, actor.language)
      const { viewers, count, page } = await pageViewers(snapshot, app, query, actor.language)
      const items = viewers.map(({ user, holdings }) => ({ user, reasons: reasonsToSee(app, holdings) }))
      return pageOf('items', items, count, page)
    }),
})

export const readRoleHolders = query('GET /roles/:id/holders', {
  summary: 'The people who have a role, each with all its sources, by name',
  description:
    'The people who have it directly and, with `effective`, those who have it only through a group. Inactive people are included. `q` ignores case, diacritics and letter variants.',
  allow: 'admin',
  scope: 'people:read',
  params: IdParams,
  query: HoldersQuery,
  reply: RoleHoldersPage,
  refuses: ['not_found'],
  run: ({ db, actor, params: { id }, query }) =>
    inSnapshot(db, async (snapshot) => {
      const { holders, count, page } = await pageHolders(snapshot, id, query, actor.language)
      const items = holders.map(({ roles, ...holder }) => ({ ...holder, from: roles.map(wayOf) }))
      return pageOf('items', items, count, page)
    }),
})
