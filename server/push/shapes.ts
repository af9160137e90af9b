import { Type } from 'typebox'
import { Line, Shape } from '../platform/http/shape.ts'
import { MOST_ENDPOINT } from './rules.ts'

const Endpoint = Type.String({ minLength: 1, maxLength: MOST_ENDPOINT })
const Key = (description: string) => Line({ min: 1, max: 200, description })

/** What a browser's `PushSubscription.toJSON()` returns. */
export const Subscription = Shape({
  endpoint: Type.String({ ...Endpoint, description: 'An https URL without account on a public host.' }),
  keys: Shape({
    p256dh: Key('base64url of the 65 bytes of an uncompressed point on P-256'),
    auth: Key('base64url of 16 bytes'),
  }),
})
export const SubscriptionName = Shape({ endpoint: Endpoint })
export const PublicKey = Shape({ publicKey: Type.String() })
