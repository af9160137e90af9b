import { OneOf, Shape } from '../platform/http/shape.ts'

/** Why a session ended. */
export const endings = ['logout', 'revoked', 'password_changed', 'password_reset', 'deactivated', 'deleted', 'expired', 'ended'] as const
export const Ending = OneOf(endings)

/** What the stream itself tells of. */
export const streamEvents = {
  /** The last event before the server closes the stream. */
  session_ended: Shape({ reason: Ending }),
  /** What was missed is not known any more: everything is to be read again. */
  resync: Shape({}),
}
