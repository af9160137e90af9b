/** The document's descriptions of the headers of requests and answers. */
import type { Json } from './openapi-schemas.ts'

const text = (description: string, example: string): Json => ({ description, schema: { type: 'string' }, example })
const always = (header: Json): Json => ({ required: true, ...header })

/** Headers of answers, by name. */
export const headers: Record<string, Json> = {
  'X-Request-Id': always(text('Names this call in the log of the portal.', '6f1c2a9e-8a53-4f0c-9c5e-0d8f1b6f7a21')),
  'Retry-After': { description: 'Seconds until another try makes sense.', schema: { type: 'integer', minimum: 1 }, example: 30 },
  'Set-Cookie': always(
    text(
      'The session, or its end. The cookie is named `__Host-portal_session` and `Secure` where the portal is reached by https.',
      'portal_session=Zk0rY3hB; Max-Age=2592000; Path=/; HttpOnly; SameSite=Lax',
    ),
  ),
  'Content-Disposition': always(text('Whether to show or to save the file, and its name.', 'attachment; filename="report-2026-03-01.csv"')),
  'Accept-Ranges': always(text('Parts may be asked for.', 'bytes')),
  'Content-Range': always(text('Which bytes of how many these are.', 'bytes 0-1023/51200')),
  'Cache-Control': always(text('How long browsers may keep the file without asking again.', 'private, no-cache')),
  ETag: always(text('What these bytes, or this state of the record, are known by.', '"n4bQgYhMfWWaL-qgxVrQFaO_TxsrC4Is0V1sFbDwCgg"')),
  'Last-Modified': always(text('When the file was stored.', 'Sun, 01 Mar 2026 08:30:00 GMT')),
}

/** Headers of requests for stored files. */
export const fileRequestHeaders: Json[] = [
  { name: 'Range', in: 'header', ...text('One span of bytes; several at once are answered with the whole.', 'bytes=0-1023') },
  {
    name: 'If-Range',
    in: 'header',
    ...text('The tag or the date of the file that the span is of; of another, the whole is answered.', '"n4bQgYhM"'),
  },
  { name: 'If-None-Match', in: 'header', ...text('Tags of the bytes that the caller has already.', '"n4bQgYhM"') },
  {
    name: 'If-Modified-Since',
    in: 'header',
    ...text('When the caller got the file; read where there is no `If-None-Match`.', 'Sun, 01 Mar 2026 08:30:00 GMT'),
  },
]

/** On calls that do something once, however often they are sent. */
export const keyHeader: Json = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'Any 1 to 255 printable characters, best a new UUID for each thing to be done. Within 24 hours the same call with the same key gets its first answer again and does nothing; a refused one may be sent again.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
  example: '6f1c2a9e-8a53-4f0c-9c5e-0d8f1b6f7a21',
}

/** On calls that edit a record which others edit as well. */
export const ifMatchHeader: Json = {
  name: 'If-Match',
  in: 'header',
  ...text(
    'The `ETag` of the state that the caller edits. When the record is in another state by now, nothing is done, and the answer has it as it is.',
    '"n4bQgYhMfWWaL-qgxVrQFaO_TxsrC4Is0V1sFbDwCgg"',
  ),
}

/** References to headers among the components. */
export const headersNamed = (...names: string[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
