import { Type } from 'typebox'
import { stream } from '../../platform/http/endpoint.ts'
import { Shape } from '../../platform/http/shape.ts'
import { auditEvents } from '../../record/audit/shapes.ts'
import { presenceEvents } from '../../work/presence/shapes.ts'
import { eventPayloads } from './shapes.ts'

/** Only administrators get these events. */
const forAdmins = Object.keys({ ...auditEvents, ...presenceEvents })

export const openEvents = stream('GET /events', {
  summary: 'The event stream: everything that concerns the caller, as it happens',
  description:
    'Server-Sent Events, with a comment every 20 s. `Last-Event-ID` (or `lastEventId`) resumes with the events missed within 24 hours; beyond that the stream begins with `resync`, after which the client reads everything again. `session_ended` is the last message of a session. A person may have 20 streams open.',
  allow: 'signed-in',
  refuses: ['rate_limited'],
  query: Shape({ lastEventId: Type.Optional(Type.String({ maxLength: 100 })) }),
  events: eventPayloads,
  run: ({ hub, actor, session, token, headers, query, raw }) =>
    hub.open(
      { sessionId: session.id, userId: session.userId, token, withheld: actor.mayEnter('admin') ? [] : forAdmins },
      raw,
      headers['last-event-id']?.toString() ?? query.lastEventId,
    ),
})
