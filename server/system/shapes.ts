import { Type } from 'typebox'
import { Named, Nullable, OneOf, Shape, Timestamp } from '../platform/http/shape.ts'

export const HealthStatus = Named('HealthStatus', Shape({ status: Type.String() }), { status: 'ok' })
/** What the refusal of an unhealthy portal says besides. */
export const UnhealthyStatus = Named('Unhealthy', Shape({ status: OneOf(['unavailable']) }))

const VersionInfo = Named('SystemVersionInfo', Shape({ version: Type.String(), build: Type.String() }), {
  version: '0.1.0',
  build: 'source',
})

export const SystemVersion = Named(
  'SystemVersionResponse',
  Shape({
    current: VersionInfo,
    latest: Nullable(VersionInfo),
    status: OneOf(['up-to-date', 'update-available', 'not-configured', 'error']),
    errorMessage: Nullable(Type.String()),
    checkedAt: Nullable(Timestamp),
    configured: Type.Boolean(),
  }),
)
