import { Type } from 'typebox'
import { Nullable, OneOf, Shape, Timestamp } from '../platform/http/shape.ts'

const VersionInfo = Shape({ version: Type.String(), build: Type.String() })

export const SystemVersion = Shape({
  current: VersionInfo,
  latest: Type.Unsafe<{ version: string; build: string } | null>({ ...VersionInfo, type: ['object', 'null'] }),
  status: OneOf(['up-to-date', 'update-available', 'not-configured', 'error']),
  errorMessage: Nullable(Type.String()),
  checkedAt: Nullable(Timestamp),
  configured: Type.Boolean(),
})
