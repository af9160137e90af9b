import { query } from '../../platform/http/endpoint.ts'
import { IdParams } from '../../platform/http/shape.ts'
import { ProviderTry } from './shapes.ts'
import { readTry } from './trying.ts'

export const showTry = query('GET /admin/sign-in/providers/:id/try', {
  summary: 'What came of trying a provider',
  description: 'For the session that began it, within 10 minutes.',
  allow: 'admin',
  params: IdParams,
  reply: ProviderTry,
  refuses: ['not_found', 'secrets_not_configured'],
  run: ({ db, session, secrets, params: { id } }) => readTry(db, secrets, id, session.id),
})
