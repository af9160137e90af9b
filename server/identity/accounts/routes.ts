import { sql, type Updateable } from 'kysely'
import { Type } from 'typebox'
import { createPerson, lockPerson } from '../../people/users/queries.ts'
import type { Actor } from '../../platform/auth/actor.ts'
import { holdWays } from '../../platform/auth/break-glass.ts'
import { networkOf } from '../../platform/auth/limits.ts'
import { checkNewPassword } from '../../platform/auth/password-policy.ts'
import { hashToken } from '../../platform/auth/tokens.ts'
import { changedFields } from '../../platform/changes/change-kind.ts'
import { endSessionsWhere } from '../../platform/changes/ending-sessions.ts'
import { type Change, changed, changedIf, unchanged } from '../../platform/changes/outcome.ts'
import type { Tx } from '../../platform/database/db.ts'
import { refuse } from '../../platform/errors/refusal.ts'
import { command, query } from '../../platform/http/endpoint.ts'
import { IdParams, ListPart, Nothing } from '../../platform/http/shape.ts'
import { wire } from '../../platform/http/wire.ts'
import { fetchPicture, isFetched } from '../../platform/objects/pictures.ts'
import type { Tables } from '../../platform/tables.ts'
import { pictured, roomOf } from '../../work/storage/queries.ts'
import { ownShare } from '../factors/rules.ts'
import { refuseUntilFactor } from '../factors/sign-in-step.ts'
import { signInLimits } from '../passwords/limits.ts'
import { namesOf } from '../passwords/names.ts'
import { findByIdentifier, readAfterLock } from '../passwords/queries.ts'
import { tries } from '../passwords/rules.ts'
import { lockForSignIn } from '../sessions/active-users.ts'
import { isTrustedDevice } from '../sessions/devices.ts'
import { endSessionUrlOf } from '../sessions/provider-logout.ts'
import { endSessions, listSessions, readAuthUser } from '../sessions/queries.ts'
import { AuthUser, SessionView } from '../sessions/shapes.ts'
import { signIn } from '../sessions/sign-in.ts'
import { tellOfException } from '../settings/exception-notice.ts'
import { isRegistrationOpen } from '../settings/queries.ts'
import {
  ClockHoursChoice,
  ClockStyleChoice,
  Credentials,
  LanguageChoice,
  OwnPermissions,
  Preferences,
  Profile,
  Registration,
  SignedOut,
} from './shapes.ts'

export const register = command('POST /auth/register', {
  sendsEventId: true,
  summary: 'Register and sign in',
  description: 'The new account gets the role `user` and joins Everyone. Registration can be closed in the settings.',
  cookies: 'sign_in',
  allow: 'anyone',
  body: Registration,
  nameIn: 'username',
  reply: AuthUser,
  status: 201,
  refuses: ['registration_closed', { code: 'username_taken', status: 400 }, { code: 'email_taken', status: 400 }, 'rate_limited'],
  limits: ({ request }) => [{ rule: tries.registrationFromAddress, key: networkOf(request.ip) }],
  prepare: async ({ db, body, config, passwords }) => {
    await checkNewPassword(body.password, config, () => namesOf(db, body))
    if (!(await isRegistrationOpen(db))) refuse('registration_closed')
    return passwords.hash(body.password)
  },
  run: async ({ tx, body: { password: _, ...person }, prepared: passwordHash, ...browser }) => {
    const { id, roleIds, groupIds } = await createPerson(tx, { ...person, passwordHash }, [], 400)
    await holdWays(tx)
    if (!(await isRegistrationOpen(tx))) refuse('registration_closed')
    const author = { id, username: person.username }
    const signedIn = await signIn(tx, author, browser)
    const facts = { username: person.username, email: person.email, roleIds, groupIds }
    return changed(await readAuthUser(tx, id), { kind: 'user.registered', targetId: id, facts, author }, ...signedIn)
  },
})

export const login = command('POST /auth/login', {
  sendsEventId: true,
  summary: 'Sign in with a username or an e-mail address',
  description:
    'Every call starts a new session. The session that the browser sent ends, and so does the oldest of more than 50. A person can sign in 100 times an hour. Unknown names, wrong passwords and inactive accounts get the same answer. A person with one-time codes gets 401 `second_factor_required` and a cookie `portal_pending`, with which `POST /auth/login/second-factor` completes the sign-in within 10 minutes.',
  cookies: 'sign_in',
  allow: 'anyone',
  body: Credentials,
  nameIn: 'username',
  reply: AuthUser,
  refuses: ['invalid_credentials', 'second_factor_required', 'rate_limited'],
  limits: ({ db, body: { username }, request }) => signInLimits(db, username, request),
  prepare: async ({ db, body: { username, password }, passwords, request, isSpent }) => {
    const person = await findByIdentifier(db, username)
    const isRight = await passwords.isRight(password, isSpent || !person?.mayUsePassword ? undefined : person.passwordHash)
    if (!person || !isRight || !person.isActive) return refuse('invalid_credentials')
    if (person.needsFactor && !(await isTrustedDevice(db, request.deviceTokens, person.id))) await refuseUntilFactor(db, person)
    return person
  },
  run: async ({ tx, prepared: { id, username, passwordHash, isException }, ...browser }) => {
    // The password was checked before the transaction. A reset, a deactivation, the end of passwords or a factor since then must win.
    const person = await lockForSignIn(tx, id)
    const now = person?.passwordHash === passwordHash ? await readAfterLock(tx, id) : undefined
    if (!person || !now?.mayUsePassword) return refuse('invalid_credentials')
    const { needsFactor, hasFactor } = now
    if (needsFactor && !(await isTrustedDevice(tx, browser.request.deviceTokens, id))) await refuseUntilFactor(tx, person)
    // Users with a second factor confirm with that, so a password sign-in does not confirm the session.
    const signedIn = await signIn(tx, { id, username }, browser, { confirms: !hasFactor })
    const told = isException ? await tellOfException(tx, { id, username }, browser) : []
    return changedIf(await readAuthUser(tx, id), [...signedIn, ...told])
  },
})

export const logout = command('POST /auth/logout', {
  summary: 'End this session',
  description:
    'The event stream of the session ends with it, and so does any other session that the browser sent. `endSessionUrl` is there if the session began at a provider whose own session should end, too. `Clear-Site-Data` makes the browser delete the portal’s answers from its cache.',
  cookies: 'sign_out',
  allow: 'signed-in',
  locks: 'caller',
  reply: SignedOut,
  prepare: ({ session, ...call }) => endSessionUrlOf(session.id, call),
  run: async ({ tx, request, cookie, prepared: endSessionUrl }) => {
    // Ends all sessions whose tokens the browser sent, because the portal would accept any session that was left.
    const hashes = request.sessionTokens.map(hashToken)
    const ended = await endSessionsWhere(tx, sql`token_hash = any(${hashes}) and kind = 'browser'`, 'logout')
    cookie.clear()
    return changedIf({ success: true, ...(endSessionUrl && { endSessionUrl }) }, ended)
  },
})

export const readMe = query('GET /auth/me', {
  sendsEventId: true,
  summary: 'The signed-in person',
  description: 'The same record as the answer to signing in, with everything that a page needs to know about the caller.',
  allow: 'signed-in',
  scope: 'profile:read',
  reply: AuthUser,
  run: ({ db, actor }) => actor.remember(AuthUser, async () => wire(AuthUser, await readAuthUser(db, actor.id))),
})

export const readOwnPermissions = query('GET /auth/me/permissions', {
  summary: 'The names of the permissions that the caller’s roles grant',
  allow: 'signed-in',
  scope: 'profile:read',
  reply: OwnPermissions,
  run: async ({ actor }) => ({ permissions: [...actor.access.permissions] }),
})

type OwnFields = Omit<Updateable<Tables['users']>, 'passwordHash' | 'isActive'>

/** Updates some of the caller's own fields; records this change and `others`, unless no field differs. Replies with the new state. */
async function changeOwn(tx: Tx, actor: Actor, fields: OwnFields, others: Change[] = []) {
  const before = await lockPerson(tx, actor.id)
  const differences = changedFields(before, fields)
  if (Object.keys(differences).length === 0) return unchanged(await readAuthUser(tx, actor.id))
  await tx.updateTable('users').set(fields).where('id', '=', actor.id).execute()
  const change = { kind: 'user.preferences_changed', targetId: actor.id, facts: { changed: differences } } as const
  return changed(await readAuthUser(tx, actor.id), change, ...others)
}

export const changeLanguage = command('PATCH /auth/me/language', {
  summary: 'Choose the language of the portal',
  allow: 'signed-in',
  locks: 'caller',
  body: LanguageChoice,
  reply: AuthUser,
  run: ({ tx, actor, body }) => changeOwn(tx, actor, { preferredLanguage: body.language }),
})

export const changeClockStyle = command('PATCH /auth/me/clock-style', {
  summary: 'Choose a clock style; null restores the default',
  description: 'The pages use it; the server formats nothing with it.',
  allow: 'signed-in',
  locks: 'caller',
  body: ClockStyleChoice,
  reply: AuthUser,
  run: ({ tx, actor, body }) => changeOwn(tx, actor, body),
})

export const changeClockHours = command('PATCH /auth/me/clock-hour12', {
  summary: 'Choose a 12-hour or a 24-hour clock; null restores the default, 24',
  allow: 'signed-in',
  locks: 'caller',
  body: ClockHoursChoice,
  reply: AuthUser,
  run: ({ tx, actor, body }) => changeOwn(tx, actor, body),
})

export const changePreferences = command('PATCH /auth/me/notification-preferences', {
  summary: 'Choose which notifications arrive, and how they sound and vibrate',
  description: 'Omitted fields do not change. Pushes follow them from the next notification on.',
  allow: 'signed-in',
  locks: 'caller',
  body: Preferences,
  reply: AuthUser,
  run: ({ tx, actor, body }) => changeOwn(tx, actor, body),
})

export const changeProfile = command('PATCH /auth/me/profile', {
  summary: 'Change one’s own names and picture',
  description: 'Omitted fields do not change; null clears a field. A picture can be fetched from an address a hundred times an hour.',
  allow: 'signed-in',
  locks: 'caller',
  body: Profile,
  reply: AuthUser,
  refuses: ['quota_exceeded', 'rate_limited'],
  limits: ({ actor, body: { avatarUrl } }) => (isFetched(avatarUrl) ? [ownShare('pictures', actor.id)] : []),
  prepare: (call) => fetchPicture(call, 'avatarUrl', call.body.avatarUrl, roomOf(call)),
  run: async ({ tx, actor, body, prepared: picture }) => {
    const { fields, changes } = await pictured(tx, actor.id, 'avatarUrl', body, picture)
    return changeOwn(tx, actor, fields, changes)
  },
})

export const listMySessions = query('GET /auth/me/sessions', {
  summary: 'The caller’s sessions, most recently used first',
  description: 'The session of the request is marked `current`.',
  allow: 'signed-in',
  query: ListPart,
  reply: Type.Array(SessionView),
  run: async ({ db, actor, session, query }) =>
    (await listSessions(db, actor.id, query)).map((one) => ({ ...one, current: one.id === session.id })),
})

export const endMySession = command('DELETE /auth/me/sessions/:id', {
  summary: 'End one of the caller’s sessions',
  description: 'Its event stream ends. Ending the current session signs the browser out, like `POST /auth/logout`.',
  cookies: 'sign_out',
  allow: 'signed-in',
  locks: 'caller',
  params: IdParams,
  reply: Nothing,
  status: 204,
  refuses: ['not_found'],
  run: async ({ tx, actor, session, params, cookie }) => {
    const sessionIds = await endSessions(tx, actor.id, { only: params.id, ofBrowsers: true })
    if (sessionIds.length === 0) refuse('not_found')
    if (params.id === session.id) cookie.clear()
    return changed(null, { kind: 'session.ended', targetId: actor.id, facts: { reason: 'revoked', sessionIds } })
  },
})
