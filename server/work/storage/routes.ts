import { changed } from '../../platform/changes/outcome.ts'
import { refuseField } from '../../platform/errors/refusal.ts'
import { command, file, upload } from '../../platform/http/endpoint.ts'
import { addSlot, fillSlot, findObject, findSlot } from './queries.ts'
import { ObjectParams, UploadPlace, UploadRequest, UploadToken } from './shapes.ts'

export const requestUpload = command('POST /storage/uploads/request-url', {
  summary: 'Get an address to upload one object to, and the path it will have',
  description:
    'The address takes one PUT of exactly `size` bytes of `contentType`, within 15 minutes. A person has at most 20 open, and 1 GiB stored. An object that nothing refers to after 24 hours is removed.',
  allow: 'signed-in',
  body: UploadRequest,
  reply: UploadPlace,
  refuses: ['quota_exceeded'],
  run: async ({ tx, actor, body, config }) => {
    const { size, contentType } = body
    if (size > config.uploadMaxBytes) refuseField('size', 'maximum', { limit: config.uploadMaxBytes })
    const { id, uuid, token } = await addSlot(tx, actor.id, body)
    const place = {
      uploadURL: `${config.publicUrl}/api/storage/uploads/${uuid}?token=${token}`,
      objectPath: `/objects/uploads/${uuid}`,
      metadata: body,
    }
    return changed(place, { kind: 'object.requested', targetId: id, facts: { uuid, size, contentType } })
  },
})

export const putObject = upload('PUT /storage/uploads/:uuid', {
  summary: 'Upload the bytes of an object, once; the token in the address authorises it',
  description:
    'The body must have exactly the requested size and media type. Afterwards the address is invalid. It takes one transfer at a time.',
  allow: 'anyone',
  params: ObjectParams,
  query: UploadToken,
  refuses: ['invalid_token', 'upload_under_way'],
  expect: ({ db, params: { uuid }, query: { token } }) => findSlot(db, uuid, token),
  run: async ({ tx, params: { uuid }, query: { token }, stored }) => {
    const { id } = await fillSlot(tx, uuid, token, stored)
    return changed(null, { kind: 'object.uploaded', targetId: id, facts: { uuid } })
  },
})

export const readObject = file('GET /storage/objects/uploads/:uuid', {
  summary: 'A stored object; raster images inline, everything else as an attachment',
  description: 'Ranges and conditional requests are supported. No script in it can run: its content security policy is a sandbox.',
  allow: 'signed-in',
  params: ObjectParams,
  refuses: ['not_found', 'range_not_satisfiable'],
  run: ({ db, params: { uuid } }) => findObject(db, uuid),
})
