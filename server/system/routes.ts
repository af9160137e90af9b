import { Type } from 'typebox'
import { sql } from 'kysely'
import { query } from '../platform/endpoint.ts'
import { Shape } from '../platform/shape.ts'

export const readHealth = query('GET /healthz', {
  summary: 'Whether the portal and its database answer',
  allow: 'anyone',
  reply: Shape({ status: Type.String() }),
  run: async ({ db }) => {
    await sql`select 1`.execute(db)
    return { status: 'ok' }
  },
})
