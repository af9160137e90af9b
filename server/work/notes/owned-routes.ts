import { findUsername } from '../../people/users/queries.ts'
import { DependentsQuery } from '../../people/users/shapes.ts'
import { changed, unchanged } from '../../platform/changes/outcome.ts'
import { command } from '../../platform/http/endpoint.ts'
import { IdParams } from '../../platform/http/shape.ts'
import { pageNotesOf } from './queries.ts'
import { UserDependentNotesPage } from './shapes.ts'

export const readUserNotes = command('GET /users/:id/dependents/notes', {
  summary: 'The notes a person owns, newest first; reading the titles of someone else’s is audited',
  allow: 'admin',
  params: IdParams,
  query: DependentsQuery,
  reply: UserDependentNotesPage,
  refuses: ['not_found'],
  run: async ({ tx, actor, params: { id }, query }) => {
    const username = await findUsername(tx, id)
    const page = await pageNotesOf(tx, id, query)
    if (id === actor.id) return unchanged(page)
    return changed(page, { kind: 'user.notes_inspected', targetId: id, facts: { username } })
  },
})
