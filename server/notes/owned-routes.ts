import { query } from '../platform/http/endpoint.ts'
import { IdParams } from '../platform/http/shape.ts'
import { checkUserExists } from '../users/queries.ts'
import { DependentsQuery } from '../users/shapes.ts'
import { pageNotesOf } from './queries.ts'
import { UserDependentNotesPage } from './shapes.ts'

export const readUserNotes = query('GET /users/:id/dependents/notes', {
  summary: 'The notes a person owns, newest first',
  allow: 'admin',
  params: IdParams,
  query: DependentsQuery,
  reply: UserDependentNotesPage,
  refuses: ['not_found'],
  run: async ({ db, params: { id }, query }) => {
    await checkUserExists(db, id)
    return pageNotesOf(db, id, query)
  },
})
