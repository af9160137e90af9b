import { idsIn } from '../../people/users/rules.ts'
import { meansOf } from '../../platform/auth/confirmation.ts'
import { blockCommands } from '../../platform/auth/last-admin.ts'
import { changedFields } from '../../platform/changes/change-kind.ts'
import { endSessionsWhere } from '../../platform/changes/ending-sessions.ts'
import { changed, unchanged } from '../../platform/changes/outcome.ts'
import type { Tx } from '../../platform/database/db.ts'
import { refuseField, refuseFields } from '../../platform/errors/refusal.ts'
import { command, query } from '../../platform/http/endpoint.ts'
import {
  lockSignInSettings,
  pageWithoutFactor,
  passwordSessions,
  readReadiness,
  readSignInSettings,
  roleIdsOf,
  saveSignInSettings,
} from './queries.ts'
import { conditions, THE_SETTINGS, unmetConditions } from './rules.ts'
import { Requirements, SignInSettings, SignInSettingsEdit, WithoutFactorPage, WithoutFactorQuery } from './shapes.ts'

/** The ids of the roles with these names. Refuses an unknown name, and a demand by an administrator who has no second factor. */
async function checkRoles(tx: Tx, userId: number, names: readonly string[]) {
  const ids = await roleIdsOf(tx, names)
  const unknown = names.find((name) => !ids.has(name))
  if (unknown !== undefined) refuseField('secondFactorRoles', 'exists')
  if (names.length > 0 && !(await meansOf(tx, userId)).hasFactor) refuseField('secondFactorRoles', 'ownFactor')
  return [...ids.values()]
}

export const showSignInSettings = query('GET /admin/sign-in/settings', {
  summary: 'How people sign in, and who must prove what',
  allow: 'admin',
  scope: 'admin:read',
  record: SignInSettings,
  reply: SignInSettings,
  run: ({ db }) => readSignInSettings(db),
})

export const showRequirements = query('GET /admin/sign-in/requirements', {
  summary: 'What is still missing before a provider can be required',
  description: 'The conditions of `passwords: exceptions`, as they are for this session, and the exceptions.',
  allow: 'admin',
  scope: 'admin:read',
  reply: Requirements,
  run: async ({ db, session }) => {
    const { isProven, exceptions } = await readReadiness(db, session.id)
    const unmet = new Set<string>(unmetConditions({ isProven, exceptions }).map(({ rule }) => rule))
    return { conditions: conditions.map((rule) => ({ rule, isMet: !unmet.has(rule) })), exceptions }
  },
})

export const changeSignInSettings = command('PATCH /admin/sign-in/settings', {
  summary: 'Change how people sign in',
  description:
    'Omitted fields do not change. With `passwords: exceptions`, sessions that began by a password end, except for the caller’s and those of exceptions. It is refused with a detail for each condition that does not hold.',
  allow: 'admin',
  confirm: 'person',
  locks: 'access',
  record: SignInSettings,
  body: SignInSettingsEdit,
  reply: SignInSettings,
  run: async ({ tx, actor, session, ifMatch, body }) => {
    await blockCommands(tx)
    const before = await lockSignInSettings(tx)
    await ifMatch(() => before)
    const wanted = { ...body, ...(body.secondFactorRoles && { secondFactorRoles: body.secondFactorRoles.toSorted() }) }
    const differences = changedFields(before, wanted)
    if (Object.keys(differences).length === 0) return unchanged(before)

    const closesPasswords = differences['passwords']?.to === 'exceptions'
    if (closesPasswords) {
      const unmet = unmetConditions(await readReadiness(tx, session.id))
      if (unmet.length > 0) refuseFields(unmet)
    }
    const roleIds = differences['secondFactorRoles'] && (await checkRoles(tx, actor.id, wanted.secondFactorRoles!))
    const facts = { changed: differences }
    const after = await saveSignInSettings(tx, body, roleIds)
    // Sessions that began by a passkey or at a provider go on.
    const ended = closesPasswords ? await endSessionsWhere(tx, passwordSessions(session.id), 'sso_only') : []
    return changed(after, { kind: 'sign_in_settings.updated', targetId: THE_SETTINGS, facts }, ...ended)
  },
})

export const listLacking = query('GET /admin/sign-in/without-factor', {
  summary: 'Whom a second factor for some roles would lock out, and when',
  description: 'Active holders of one of the roles who have no second factor, soonest first. A duty that has not begun would begin now.',
  allow: 'admin',
  scope: 'admin:read',
  query: WithoutFactorQuery,
  reply: WithoutFactorPage,
  run: ({ db, actor, query: { roleIds, ...query } }) => pageWithoutFactor(db, { roleIds: idsIn(roleIds), ...query }, actor.language),
})
