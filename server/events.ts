/** Every event of the stream with the schema of its data, listed by hand. */
import { appEvents } from './apps/shapes.ts'
import { streamEvents } from './events/shapes.ts'
import { meetingEvents } from './executive-meetings/meetings/shapes.ts'
import { noteEvents } from './notes/shapes.ts'
import { notificationEvents } from './notifications/shapes.ts'
import { orderEvents } from './orders/shapes.ts'

export const events = {
  ...notificationEvents,
  ...orderEvents,
  ...appEvents,
  ...noteEvents,
  ...meetingEvents,
  ...streamEvents,
}

declare module './platform/changes/registry.ts' {
  interface Registry {
    events: typeof events
  }
}
