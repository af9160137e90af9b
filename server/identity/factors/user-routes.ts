import { checkUserExists, lockPerson } from '../../people/users/queries.ts'
import { guardBreakGlass } from '../../platform/auth/break-glass.ts'
import { meansOf } from '../../platform/auth/confirmation.ts'
import { changedIf } from '../../platform/changes/outcome.ts'
import { command, query } from '../../platform/http/endpoint.ts'
import { IdParams, Nothing } from '../../platform/http/shape.ts'
import { readDuty } from '../settings/queries.ts'
import { readFactors } from './queries.ts'
import { forgetFactors } from './reset.ts'
import { UserFactors } from './shapes.ts'

export const removeUserFactors = command('DELETE /users/:id/factors', {
  summary: 'Remove all factors of a person who has lost them; the audit log records it',
  description: 'Their sessions and API tokens end, and they are told. Somebody without factors keeps their sessions.',
  cookies: 'sign_out',
  allow: 'admin',
  confirm: 'person',
  locks: 'caller',
  params: IdParams,
  reply: Nothing,
  status: 204,
  refuses: ['not_found', 'last_break_glass'],
  run: async ({ tx, session, params: { id }, cookie }) => {
    const person = await lockPerson(tx, id)
    const keepBreakGlass = await guardBreakGlass(tx)
    const { changes, sessionIds } = await forgetFactors(tx, person)
    await keepBreakGlass()
    if (sessionIds.includes(session.id)) cookie.clear()
    return changedIf(null, changes)
  },
})

export const showUserFactors = query('GET /users/:id/factors', {
  summary: 'With what a person signs in, and what their roles require of them',
  allow: 'admin',
  scope: 'people:read',
  params: IdParams,
  reply: UserFactors,
  refuses: ['not_found'],
  run: async ({ db, params: { id } }) => {
    await checkUserExists(db, id)
    const { hasPassword } = await meansOf(db, id)
    const { passkeyCount, totpSince, recoveryCodesLeft } = await readFactors(db, id)
    return { hasPassword, passkeyCount, totpSince, recoveryCodesLeft, duty: await readDuty(db, id) }
  },
})
