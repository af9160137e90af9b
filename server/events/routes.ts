import { Type } from 'typebox'
import { stream } from '../platform/http/endpoint.ts'
import { Shape } from '../platform/http/shape.ts'
import { eventPayloads } from './shapes.ts'

export const openEvents = stream('GET /events', {
  summary: 'Everything that concerns this person, as it happens',
  allow: 'signed-in',
  query: Shape({ lastEventId: Type.Optional(Type.String({ maxLength: 100 })) }),
  events: eventPayloads,
  run: ({ hub, session, token, headers, query, raw }) =>
    hub.open({ sessionId: session.id, userId: session.userId, token }, raw, headers['last-event-id']?.toString() ?? query.lastEventId),
})
