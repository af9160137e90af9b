import { Type } from 'typebox'
import { Named, Nullable, Shape, ShownOnce, Timestamp } from '../../../platform/http/shape.ts'

const path = 'portal.example.org/api/calendar/5n2Vd0pJ8cQ1xR7tLw3KzYbE6uGfHs9iAoMmNqPvTkI.ics'

export const CalendarFeed = Named(
  'CalendarFeed',
  Shape({ isOn: Type.Boolean(), createdAt: Nullable(Timestamp), lastReadAt: Nullable({ ...Timestamp, description: 'To the minute.' }) }),
  { isOn: true },
)
export const CalendarAddress = Named(
  'CalendarAddress',
  Shape({
    url: ShownOnce(Type.String({ description: 'Anyone who has it can read the feed; it is never shown again.' })),
    webcalUrl: ShownOnce(Type.String({ description: 'The same for programs that subscribe when it is opened.' })),
  }),
  { url: `https://${path}`, webcalUrl: `webcal://${path}` },
)
export const FeedParams = Shape({
  file: Type.String({ maxLength: 500, description: 'The secret part of the address, and `.ics`.', examples: [path.slice(-47)] }),
})
