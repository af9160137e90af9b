import { Type } from 'typebox'
import { command, query } from '../../platform/http/endpoint.ts'
import { IdParams, Nothing } from '../../platform/http/shape.ts'
import { checkUserExists, lockPerson } from '../../users/queries.ts'
import { listIdentities, unlink } from './identities.ts'
import { Identity, IdentityParams, OwnIdentity } from './shapes.ts'

export const listMyIdentities = query('GET /auth/me/identities', {
  summary: 'The providers that the caller’s account is connected with',
  allow: 'signed-in',
  reply: Type.Array(OwnIdentity),
  run: ({ db, actor }) => listIdentities(db, actor.id),
})

export const listUserIdentities = query('GET /users/:id/identities', {
  summary: 'The providers that a person’s account is connected with',
  allow: 'admin',
  scope: 'admin:read',
  params: IdParams,
  reply: Type.Array(Identity),
  refuses: ['not_found'],
  run: async ({ db, params: { id } }) => {
    await checkUserExists(db, id)
    return listIdentities(db, id)
  },
})

export const unlinkMyIdentity = command('DELETE /auth/me/identities/:id', {
  summary: 'Disconnect the caller’s account from a provider',
  description: 'Sessions that began there go on.',
  allow: 'signed-in',
  confirm: 'person',
  locks: 'caller',
  params: IdParams,
  reply: Nothing,
  status: 204,
  refuses: ['not_found', 'last_sign_in_method'],
  run: async ({ tx, actor, params: { id } }) => {
    await lockPerson(tx, actor.id)
    return unlink(tx, actor.id, id)
  },
})

export const unlinkUserIdentity = command('DELETE /users/:id/identities/:identityId', {
  summary: 'Disconnect a person’s account from a provider',
  description: 'Sessions that began there go on.',
  allow: 'admin',
  confirm: 'person',
  locks: 'caller',
  params: IdentityParams,
  reply: Nothing,
  status: 204,
  refuses: ['not_found', 'last_sign_in_method'],
  run: async ({ tx, params: { id, identityId } }) => {
    await lockPerson(tx, id)
    return unlink(tx, id, identityId)
  },
})
