import { query } from '../../platform/http/endpoint.ts'
import { IdParams } from '../../platform/http/shape.ts'
import { readStandingOfGroup, readStandingOfPerson } from './queries.ts'
import { GroupProvisioning, UserProvisioning } from './shapes.ts'

export const showUserProvisioning = query('GET /users/:id/provisioning', {
  summary: 'The source that manages a person, and what it sent about them',
  description: 'The next call of the source overwrites names, address, language and activity. `source` is null if no source manages them.',
  allow: 'admin',
  scope: 'admin:read',
  params: IdParams,
  reply: UserProvisioning,
  refuses: ['not_found'],
  run: ({ db, params: { id } }) => readStandingOfPerson(db, id),
})

export const showGroupProvisioning = query('GET /groups/:id/provisioning', {
  summary: 'The source that manages the members of a group',
  allow: 'admin',
  scope: 'people:read',
  params: IdParams,
  reply: GroupProvisioning,
  refuses: ['not_found'],
  run: ({ db, params: { id } }) => readStandingOfGroup(db, id),
})
