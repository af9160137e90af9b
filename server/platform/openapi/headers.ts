/** The document's descriptions of the headers of requests and answers. */

import type { Cookies } from '../auth/session-cookie.ts'
import type { Json } from './schemas.ts'

const text = (description: string, example: string): Json => ({ description, schema: { type: 'string' }, example })
const always = (header: Json): Json => ({ required: true, ...header })

const BEHIND_HTTPS = 'If the portal is served over https, its cookies are `Secure` and their names begin with `__Host-`.'
const CLEARED_COOKIE = 'portal_session=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax'

/** Headers of answers, by the names of their components. */
export const headers: Record<string, Json> = {
  'X-Request-Id': always(text('Identifies this call in the log of the portal.', '6f1c2a9e-8a53-4f0c-9c5e-0d8f1b6f7a21')),
  'Retry-After': { description: 'Seconds to wait before another attempt.', schema: { type: 'integer', minimum: 1 }, example: 30 },
  SignInCookies: always(
    text(
      `The session in \`portal_session\` and, in a second header, \`portal_device\`. For a year, it identifies the browser, so that it can still sign in when somebody else uses up the attempts of the account. ${BEHIND_HTTPS}`,
      'portal_session=Zk0rY3hB; Max-Age=2592000; Path=/; HttpOnly; SameSite=Lax',
    ),
  ),
  DeviceCookie: always(
    text(
      `\`portal_device\`. For a year, it identifies the browser, so that it can still sign in when somebody else uses up the attempts of the account. ${BEHIND_HTTPS}`,
      'portal_device=b3NkV2Jm; Max-Age=31536000; Path=/; HttpOnly; SameSite=Lax',
    ),
  ),
  ChallengeCookie: always(
    text(
      `\`portal_challenge\`. For five minutes, it keeps, encrypted, what a passkey has to sign. ${BEHIND_HTTPS}`,
      'portal_challenge=c2VhbGVk; Max-Age=300; Path=/; HttpOnly; SameSite=Lax',
    ),
  ),
  AttemptCookie: always(
    text(
      `\`portal_sso\`. For ten minutes, it keeps, encrypted, what the browser has begun at a provider. ${BEHIND_HTTPS}`,
      'portal_sso=c2VhbGVk; Max-Age=600; Path=/; HttpOnly; SameSite=Lax',
    ),
  ),
  SignOutCookie: text(`Clears \`portal_session\` if the caller’s own session ended. ${BEHIND_HTTPS}`, CLEARED_COOKIE),
  'Clear-Site-Data': text('Makes the browser delete the portal’s answers from its cache, if the caller’s own session ended.', '"cache"'),
  'Content-Disposition': always(text('Whether to show or to save the file, and its name.', 'attachment; filename="report-2026-03-01.csv"')),
  'X-Rows-Omitted': text('The number of older rows that were left out of a full file; its last row says so, too.', '1234'),
  'X-Total-Count': {
    description: 'The number of all items, if `limit` asks for a part of the list.',
    schema: { type: 'integer', minimum: 0 },
    example: 412,
  },
  'Last-Event-ID': always(
    text(
      'If `GET /events` resumes after this id, it sends every change that this answer, or one read later, may lack.',
      '4f1d8a02.81234.5567',
    ),
  ),
  'Accept-Ranges': always(text('Ranges can be requested.', 'bytes')),
  'Content-Range': always(text('The range of these bytes, and the size of the file.', 'bytes 0-1023/51200')),
  'Cache-Control': always(text('How long a browser may use the file without asking again.', 'private, no-cache')),
  ETag: always(text('Identifies these bytes, or this state of the record.', '"n4bQgYhMfWWaL-qgxVrQFaO_TxsrC4Is0V1sFbDwCgg"')),
  'Last-Modified': always(text('When the file was stored.', 'Sun, 01 Mar 2026 08:30:00 GMT')),
}

/** Headers of requests for stored files. */
export const fileRequestHeaders: Json[] = [
  { name: 'Range', in: 'header', ...text('One range of bytes; for several, the answer is the whole file.', 'bytes=0-1023') },
  {
    name: 'If-Range',
    in: 'header',
    ...text(
      'The tag or the date of the file that the range belongs to; if the file has changed, the answer is the whole file.',
      '"n4bQgYhM"',
    ),
  },
  { name: 'If-None-Match', in: 'header', ...text('The tags of the bytes that the caller already has.', '"n4bQgYhM"') },
  {
    name: 'If-Modified-Since',
    in: 'header',
    ...text('When the caller got the file; ignored if there is an `If-None-Match`.', 'Sun, 01 Mar 2026 08:30:00 GMT'),
  },
]

/** The header of calls that can have an `Idempotency-Key`. */
export const keyHeader: Json = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    '1 to 255 printable characters, preferably a new UUID for each action. Within 24 hours, the same call with the same key gets the first answer again, with null in place of tokens, codes, secrets and links, and does nothing; a refused call may be sent again. Calls are the same if their method, their address and the bytes of their body are the same, so send the same bytes again instead of serialising the body again. The portal keeps a person’s last 500 answers, up to 16 MiB. A call whose answer is no longer kept is not carried out again either; it is refused with `answer_forgotten`. Within a day, keys are forgotten only beyond a person’s last 100,000.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
  example: '6f1c2a9e-8a53-4f0c-9c5e-0d8f1b6f7a21',
}

/** The header of calls that edit a record with an `ETag`. */
export const ifMatchHeader: Json = {
  name: 'If-Match',
  in: 'header',
  ...text(
    'The `ETag` of the state that the caller edits. If the record has changed since, nothing is done, and the answer has its current state. A tag that a proxy weakened or marked while it compressed the answer counts as the original.',
    '"n4bQgYhMfWWaL-qgxVrQFaO_TxsrC4Is0V1sFbDwCgg"',
  ),
}

/** The header of answers that redirect a browser. */
export const locationHeader: Json = { Location: always(text('The address to go on to.', '/orders/7')) }

const reference = (component: string) => ({ $ref: `#/components/headers/${component}` })

/** References to headers among the components. */
export const headersNamed = (...names: string[]) => Object.fromEntries(names.map((name) => [name, reference(name)]))

/** References to the headers that set or clear cookies. */
export const cookieHeaders: Record<Cookies, Json> = {
  sign_in: { 'Set-Cookie': reference('SignInCookies') },
  sign_out: { 'Set-Cookie': reference('SignOutCookie'), ...headersNamed('Clear-Site-Data') },
  device: { 'Set-Cookie': reference('DeviceCookie') },
  challenge: { 'Set-Cookie': reference('ChallengeCookie') },
  attempt: { 'Set-Cookie': reference('AttemptCookie') },
}
