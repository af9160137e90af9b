import { Type } from 'typebox'
import { Line, Name, Named, Shape, ShownOnce } from '../../platform/http/shape.ts'

const TOKEN = "[\\w!#$%&'*+.^`|~-]+"
const MEDIA_TYPE = `^${TOKEN}/${TOKEN}( *; *${TOKEN}=(${TOKEN}|"[ !#-[\\]-~]*"))*$`

export const UploadRequest = Named(
  'UploadRequest',
  Shape({
    name: Name({ min: 1, max: 255 }),
    size: Type.Integer({ minimum: 1, description: 'In bytes; the portal has an upper limit.' }),
    contentType: Line({ min: 1, max: 255, pattern: MEDIA_TYPE, form: 'mediaType', description: 'A media type.' }),
  }),
  { name: 'portrait.png', size: 51200, contentType: 'image/png' },
)

const exampleUuid = '6f1c2a9e-8a53-4f0c-9c5e-0d8f1b6f7a21'
export const UploadPlace = Named(
  'UploadPlace',
  Shape({
    uploadURL: ShownOnce(Type.String({ description: 'Takes one PUT of exactly `size` bytes of `contentType`, within 15 minutes.' })),
    objectPath: Type.String(),
    metadata: UploadRequest,
  }),
  {
    uploadURL: `https://portal.example.org/api/storage/uploads/${exampleUuid}?token=n4bQgYhMfWWaLqgxVrQFaOTxsrC4Is0V1sFbDwCgg80`,
    objectPath: `/objects/uploads/${exampleUuid}`,
  },
)

const Uuid = Type.String({ pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$', form: 'uuid' })
export const ObjectParams = Shape({ uuid: Uuid })
export const UploadToken = Shape({ token: Type.String({ pattern: '^[\\w-]{43}$', form: 'token' }) })
