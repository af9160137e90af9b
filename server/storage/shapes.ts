import { Type } from 'typebox'
import { Line, Shape } from '../platform/http/shape.ts'

const TOKEN = "[\\w!#$%&'*+.^`|~-]+"
const MEDIA_TYPE = `^${TOKEN}/${TOKEN}( *; *${TOKEN}=(${TOKEN}|"[^"\\\\]*"))*$`

export const UploadRequest = Shape({
  name: Line({ min: 1, max: 255 }),
  size: Type.Integer({ minimum: 1, description: 'In bytes; the portal has an upper limit.' }),
  contentType: Line({ min: 1, max: 255, pattern: MEDIA_TYPE, description: 'A media type.' }),
})

export const UploadPlace = Shape({
  uploadURL: Type.String({ description: 'Takes one PUT of exactly `size` bytes of `contentType`, within 15 minutes.' }),
  objectPath: Type.String(),
  metadata: UploadRequest,
})

const Uuid = Type.String({ pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' })
export const ObjectParams = Shape({ uuid: Uuid })
export const UploadToken = Shape({ token: Type.String({ pattern: '^[\\w-]{43}$' }) })
