import { Type } from 'typebox'
import { checkUserExists, lockPerson } from '../../people/users/queries.ts'
import { changed, unchanged } from '../../platform/changes/outcome.ts'
import { command, query } from '../../platform/http/endpoint.ts'
import { IdParams, ListPart, Nothing } from '../../platform/http/shape.ts'
import { distrustDevices } from './devices.ts'
import { endSessions, listSessions } from './queries.ts'
import { SessionView } from './shapes.ts'

export const listUserSessions = query('GET /users/:id/sessions', {
  summary: 'A person’s sessions, most recently used first',
  allow: 'admin',
  scope: 'admin:read',
  params: IdParams,
  query: ListPart,
  reply: Type.Array(SessionView),
  refuses: ['not_found'],
  run: async ({ db, session, params: { id }, query }) => {
    await checkUserExists(db, id)
    return (await listSessions(db, id, query)).map((one) => ({ ...one, current: one.id === session.id }))
  },
})

export const endUserSessions = command('DELETE /users/:id/sessions', {
  summary: 'End all sessions of a person; the audit log records it',
  cookies: 'sign_out',
  locks: 'caller',
  description: 'The event streams of these sessions end. Administrators who end their own sessions are signed out, too.',
  allow: 'admin',
  confirm: 'administration',
  params: IdParams,
  reply: Nothing,
  status: 204,
  refuses: ['not_found'],
  run: async ({ tx, session, params: { id }, cookie }) => {
    const { username } = await lockPerson(tx, id)
    const sessionIds = await endSessions(tx, id)
    // A thief may have one of the person's trusted devices.
    await distrustDevices(tx, id)
    if (sessionIds.length === 0) return unchanged(null)
    if (sessionIds.includes(session.id)) cookie.clear()
    return changed(
      null,
      { kind: 'user.sessions_ended', targetId: id, facts: { username, count: sessionIds.length } },
      { kind: 'session.ended', targetId: id, facts: { reason: 'revoked', sessionIds } },
    )
  },
})
