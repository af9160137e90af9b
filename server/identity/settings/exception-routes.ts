import { lockPerson, readProfile } from '../../people/users/queries.ts'
import { blockCommands } from '../../platform/auth/last-admin.ts'
import { changed, changedIf, unchanged } from '../../platform/changes/outcome.ts'
import { quotaExceeded, refuse, refuseField } from '../../platform/errors/refusal.ts'
import { command } from '../../platform/http/endpoint.ts'
import { IdParams, Nothing } from '../../platform/http/shape.ts'
import { unmark } from './end-exception.ts'
import { countExceptions, isLastingAdministrator, markException } from './queries.ts'
import { MOST_EXCEPTIONS } from './rules.ts'
import { ExceptionProfile } from './shapes.ts'

export const addException = command('POST /users/:id/sign-in-exception', {
  summary: 'Let an administrator sign in by password where everybody else must go through a provider',
  description:
    'At most five active administrators, who hold the role without an end. A password counts for it once it has been chosen after this, with at least 14 characters. Every sign-in of theirs without the provider is told to all administrators.',
  allow: 'admin',
  confirm: 'person',
  locks: 'access',
  params: IdParams,
  reply: ExceptionProfile,
  refuses: ['not_found', 'quota_exceeded'],
  run: async ({ tx, params: { id } }) => {
    const { username, isException } = await lockPerson(tx, id)
    await blockCommands(tx)
    const profile = { ...(await readProfile(tx, id)), isException: true }
    if (isException) return unchanged(profile)
    if (!(await isLastingAdministrator(tx, id))) refuseField('id', 'exceptions')
    const used = await countExceptions(tx)
    if (used >= MOST_EXCEPTIONS) throw quotaExceeded({ quota: 'sign_in_exceptions', used, allowed: MOST_EXCEPTIONS })
    await markException(tx, id)
    return changed(profile, { kind: 'sign_in_exception.added', targetId: id, facts: { username } })
  },
})

export const removeException = command('DELETE /users/:id/sign-in-exception', {
  summary: 'Have an administrator sign in as everybody else',
  description:
    'While a provider is required, the last exception who could sign in without it stays one. For anybody else, the sessions that began by a password end, except the one that calls.',
  allow: 'admin',
  confirm: 'person',
  locks: 'access',
  params: IdParams,
  reply: Nothing,
  status: 204,
  refuses: ['not_found'],
  run: async ({ tx, session, params: { id } }) => {
    const { isException } = await lockPerson(tx, id)
    await blockCommands(tx)
    if (!isException) refuse('not_found')
    return changedIf(null, await unmark(tx, [id], session.id))
  },
})
