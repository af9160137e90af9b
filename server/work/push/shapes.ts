import { Type } from 'typebox'
import { Line, Named, Shape } from '../../platform/http/shape.ts'
import { MOST_ENDPOINT } from './rules.ts'

const Endpoint = Type.String({ minLength: 1, maxLength: MOST_ENDPOINT })
const exampleEndpoint = 'https://push.example.net/wpush/v2/gAAAAABh'
const Key = (description: string) => Line({ min: 1, max: 200, description })

/** The result of a browser's `PushSubscription.toJSON()`. */
export const Subscription = Named(
  'PushSubscription',
  Shape({
    endpoint: Type.String({ ...Endpoint, description: 'An https URL on a public host, without a user name.' }),
    keys: Named(
      'PushSubscriptionKeys',
      Shape({
        p256dh: Key('base64url of the 65 bytes of an uncompressed point on P-256'),
        auth: Key('base64url of 16 bytes'),
      }),
      {
        p256dh: 'BIPUL12DLfytvTajnryr2PRdAgXS3HGKiLqndGcJGabyhHheJYlNGCeXl1dn18gSJ1WAkAPIxr4gK0_dQds4yiI',
        auth: 'FPssNDTKnInHVndSTdbKFw',
      },
    ),
  }),
  { endpoint: exampleEndpoint },
)
export const SubscriptionName = Named('PushSubscriptionName', Shape({ endpoint: Endpoint }), { endpoint: exampleEndpoint })
export const PublicKey = Named('VapidPublicKey', Shape({ publicKey: Type.String() }), {
  publicKey: 'BIPUL12DLfytvTajnryr2PRdAgXS3HGKiLqndGcJGabyhHheJYlNGCeXl1dn18gSJ1WAkAPIxr4gK0_dQds4yiI',
})
