/** The document's descriptions of the headers of requests and answers. */

import type { Cookies } from '../http/session-cookie.ts'
import type { Json } from './schemas.ts'

const text = (description: string, example: string): Json => ({ description, schema: { type: 'string' }, example })
const always = (header: Json): Json => ({ required: true, ...header })

const BEHIND_HTTPS = 'Where the portal is reached by https, its cookies are `Secure` and their names begin with `__Host-`.'
const CLEARED_COOKIE = 'portal_session=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax'

/** Headers of answers, by the names of their components. */
export const headers: Record<string, Json> = {
  'X-Request-Id': always(text('Names this call in the log of the portal.', '6f1c2a9e-8a53-4f0c-9c5e-0d8f1b6f7a21')),
  'Retry-After': { description: 'Seconds until another try makes sense.', schema: { type: 'integer', minimum: 1 }, example: 30 },
  SignInCookies: always(
    text(
      `The session in \`portal_session\`, and in a second header \`portal_device\`, by which the browser is known for a year when somebody else uses up the tries of the account. ${BEHIND_HTTPS}`,
      'portal_session=Zk0rY3hB; Max-Age=2592000; Path=/; HttpOnly; SameSite=Lax',
    ),
  ),
  DeviceCookie: always(
    text(
      `\`portal_device\`, by which the browser is known for a year when somebody else uses up the tries of the account. ${BEHIND_HTTPS}`,
      'portal_device=b3NkV2Jm; Max-Age=31536000; Path=/; HttpOnly; SameSite=Lax',
    ),
  ),
  SignOutCookie: text(`Clears \`portal_session\` when the caller's own session ended. ${BEHIND_HTTPS}`, CLEARED_COOKIE),
  'Clear-Site-Data': text('Has the browser forget the answers it has of the portal, when the caller’s own session ended.', '"cache"'),
  'Content-Disposition': always(text('Whether to show or to save the file, and its name.', 'attachment; filename="report-2026-03-01.csv"')),
  'X-Rows-Omitted': text('How many older rows were left out, where the file has as many as it may; its last row says so, too.', '1234'),
  'X-Total-Count': {
    description: 'How many there are in all, where `limit` asks for a part of the list.',
    schema: { type: 'integer', minimum: 0 },
    example: 412,
  },
  'Last-Event-ID': always(
    text(
      '`GET /events` that resumes after this id tells of everything that this answer, and whatever is read later, may lack.',
      '4f1d8a02.81234.5567',
    ),
  ),
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

/** For calls that can have an `Idempotency-Key`. */
export const keyHeader: Json = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'Any 1 to 255 printable characters, best a new UUID for each thing to be done. Within 24 hours the same call with the same key gets its first answer again and does nothing; a refused one may be sent again. It is the same call when its method, its address and the bytes of its body are the same: send again what was sent, and do not write it out another time. Of each person the last 500 answers are kept, as far as they come to 16 MiB; a call whose answer is no longer kept is not done again either, and is refused with `answer_forgotten`. Keys are forgotten within a day only beyond a person’s last 100,000.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
  example: '6f1c2a9e-8a53-4f0c-9c5e-0d8f1b6f7a21',
}

/** For calls that edit a record with an `ETag`. */
export const ifMatchHeader: Json = {
  name: 'If-Match',
  in: 'header',
  ...text(
    'The `ETag` of the state that the caller edits. When the record is in another state by now, nothing is done, and the answer has it as it is.',
    '"n4bQgYhMfWWaL-qgxVrQFaO_TxsrC4Is0V1sFbDwCgg"',
  ),
}

const reference = (component: string) => ({ $ref: `#/components/headers/${component}` })

/** References to headers among the components. */
export const headersNamed = (...names: string[]) => Object.fromEntries(names.map((name) => [name, reference(name)]))

/** References to the headers that set or clear cookies. */
export const cookieHeaders: Record<Cookies, Json> = {
  sign_in: { 'Set-Cookie': reference('SignInCookies') },
  sign_out: { 'Set-Cookie': reference('SignOutCookie'), ...headersNamed('Clear-Site-Data') },
  device: { 'Set-Cookie': reference('DeviceCookie') },
}
