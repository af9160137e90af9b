/** Every event of the stream with the schema of its data, listed by hand. */
import { accessRequestEvents } from '../../access/requests/shapes.ts'
import { accessReviewEvents } from '../../access/reviews/shapes.ts'
import { factorEvents } from '../../identity/factors/shapes.ts'
import { scimEvents } from '../../identity/scim/shapes.ts'
import { importEvents } from '../../people/imports/shapes.ts'
import { userEvents } from '../../people/users/shapes.ts'
import { OneOf, Shape } from '../../platform/http/shape.ts'
import { auditEvents } from '../../record/audit/shapes.ts'
import { auditStreamEvents } from '../../record/audit-stream/shapes.ts'
import { webhookEvents } from '../../record/webhooks/shapes.ts'
import { appEvents } from '../../work/apps/shapes.ts'
import { meetingEvents } from '../../work/meetings/meetings/shapes.ts'
import { scheduleEvents } from '../../work/meetings/schedules/shapes.ts'
import { noteEvents } from '../../work/notes/shapes.ts'
import { notificationEvents } from '../../work/notifications/shapes.ts'
import { orderEvents } from '../../work/orders/shapes.ts'
import { presenceEvents } from '../../work/presence/shapes.ts'
import { serviceEvents } from '../../work/services/shapes.ts'
import { settingsEvents } from '../settings/shapes.ts'

/** Why a session ended. */
const endings = [
  'logout',
  'replaced',
  'revoked',
  'password_changed',
  'password_reset',
  'deactivated',
  'deleted',
  'expired',
  'ended',
  'factors_changed',
  'provider',
  'sso_only',
] as const
export const Ending = OneOf(endings)

export const eventPayloads = {
  ...notificationEvents,
  ...orderEvents,
  ...accessRequestEvents,
  ...appEvents,
  ...noteEvents,
  ...meetingEvents,
  ...scheduleEvents,
  ...userEvents,
  ...serviceEvents,
  ...settingsEvents,
  ...auditEvents,
  ...presenceEvents,
  ...accessReviewEvents,
  ...factorEvents,
  ...scimEvents,
  ...webhookEvents,
  ...auditStreamEvents,
  ...importEvents,
  /** The last event before the server closes the stream. */
  session_ended: Shape({ reason: Ending }),
  /** Missed events are no longer stored: the client must load everything again. */
  resync: Shape({}),
}

declare module '../../platform/registry.ts' {
  interface Registry {
    events: typeof eventPayloads
  }
}
