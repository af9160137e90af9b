import { Type } from 'typebox'
import { Moment, Nullable } from '../../platform/http/shape.ts'

/** The farthest end, in days from now. */
export const MOST_DAYS = 1826

/** The end in a request that grants something. */
export const GrantEnd = Type.Optional(
  Nullable({
    ...Moment,
    description: `ISO 8601, later than now and at most ${MOST_DAYS} days ahead; null: no end. An existing grant gets this end.`,
  }),
)
