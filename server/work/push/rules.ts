import { ECDH } from 'node:crypto'
import { fieldError } from '../../platform/errors/field-errors.ts'
import { refuseFields } from '../../platform/errors/refusal.ts'
import { isBelowPublicSuffix } from '../../platform/lookups.ts'
import { bareHost } from '../../platform/outbound.ts'
import type { Language, NotificationSound, RelatedType, Tables } from '../../platform/tables.ts'

export const MOST_ENDPOINT = 2000
/** The most subscriptions of a person; a further one replaces the oldest. */
export const MOST_SUBSCRIPTIONS = 20
const MOST_PAYLOAD_BYTES = 3072

/** An endpoint in normal form, for storing and comparing; null when it is not an https URL. */
export function endpointOf(text: string) {
  if (!URL.canParse(text)) return null
  const url = new URL(text)
  url.hash = ''
  return url.protocol === 'https:' ? url : null
}

/** Whether an endpoint is on a public host at the usual port, or on a host that the operator allows. */
export function mayPushTo({ hostname, port }: URL, internalHosts: readonly string[]) {
  const host = bareHost(hostname)
  return internalHosts.includes(host) || (port === '' && isBelowPublicSuffix(host))
}

/** The error that makes a URL invalid as an endpoint, or null. */
function wrongWithEndpoint(url: URL | null, internalHosts: readonly string[]) {
  if (url && url.href.length > MOST_ENDPOINT) return fieldError('endpoint', 'maxLength', { limit: MOST_ENDPOINT })
  const isPublic = url && !url.username && !url.password && mayPushTo(url, internalHosts)
  return isPublic ? null : fieldError('endpoint', 'publicAddress')
}

/** Decodes base64url or base64, with or without padding; empty if the text is neither. */
const readBytes = (text: string) => (/^[\w+/-]*={0,2}$/.test(text) ? Buffer.from(text, 'base64url') : Buffer.alloc(0))

function isPoint(bytes: Buffer) {
  try {
    return bytes.length === 65 && bytes[0] === 4 && ECDH.convertKey(bytes, 'prime256v1').length === 65
  } catch {
    return false
  }
}

interface GivenSubscription {
  endpoint: string
  keys: { p256dh: string; auth: string }
}

/** A subscription in normal form. Refuses endpoints that no push service can have, and keys that encryption cannot use. */
export function readSubscription({ endpoint, keys }: GivenSubscription, internalHosts: readonly string[]) {
  const url = endpointOf(endpoint)
  const [p256dh, auth] = [readBytes(keys.p256dh), readBytes(keys.auth)]
  const details = [
    wrongWithEndpoint(url, internalHosts),
    isPoint(p256dh) ? null : fieldError('keys.p256dh', 'key'),
    auth.length === 16 ? null : fieldError('keys.auth', 'key'),
  ].filter((one) => one !== null)
  if (details.length) refuseFields(details)
  return { endpoint: url!.href, p256dh: p256dh.toString('base64url'), auth: auth.toString('base64url') }
}

type Kind = 'order' | 'note' | 'meeting' | 'system'

/** The preferences that decide whether a push of each type is sent, and how it arrives. */
const ways = {
  order: { isWanted: 'notifyOrdersEnabled', sound: 'notificationSoundOrder', vibrates: 'vibrationEnabledOrder' },
  meeting: { isWanted: 'notifyMeetingsEnabled', sound: 'notificationSoundMeeting', vibrates: 'vibrationEnabledMeeting' },
  note: { isWanted: 'notifyNotesEnabled', sound: 'notificationSoundNote', vibrates: 'vibrationEnabledNote' },
} as const satisfies Record<Exclude<Kind, 'system'>, Record<string, keyof Tables['users']>>

type Way = (typeof ways)[keyof typeof ways]
type Flag = Way['isWanted' | 'vibrates'] | 'notificationsMuted'
export type PushPreferences = Record<Flag, boolean> & Record<Way['sound'], NotificationSound>

export const isWanted = (type: Kind, preferences: PushPreferences) =>
  !preferences.notificationsMuted && (type === 'system' || preferences[ways[type].isWanted])

/** The portal's pages by the `relatedType` of a notification. */
const pages: Record<RelatedType, string> = {
  order: '/orders',
  note: '/notes',
  meeting: '/meetings',
  meeting_request: '/meetings/requests',
  meeting_task: '/meetings/tasks',
  user: '/admin/users',
  group: '/access/groups',
  role: '/access/roles',
  access_request: '/access/requests',
  access_review: '/reviews',
}

const linkTo = (publicUrl: string, { relatedType, relatedId }: Pick<PushedNotification, 'relatedType' | 'relatedId'>) =>
  `${publicUrl}${relatedType && relatedId ? `${pages[relatedType]}/${relatedId}` : '/notifications'}`

export interface PushedNotification {
  notificationId: number
  type: Kind
  titleAr: string
  titleEn: string
  bodyAr: string | null
  bodyEn: string | null
  relatedType: RelatedType | null
  relatedId: number | null
}

/** The JSON sent to the recipient's browser, at most 3 KB. */
export function payloadOf(notification: PushedNotification, preferences: PushPreferences, lang: Language, publicUrl: string) {
  const { type } = notification
  const manner =
    type === 'system'
      ? { sound: 'ding', vibrate: true }
      : { sound: preferences[ways[type].sound], vibrate: preferences[ways[type].vibrates] }
  return fitPayload({ ...notification, ...manner, lang, url: linkTo(publicUrl, notification) })
}

type Texts = Pick<PushedNotification, 'titleAr' | 'titleEn' | 'bodyAr' | 'bodyEn'>
type Payload = Texts & { lang: Language; url: string }

/** Adds the members by which a browser can show the push without a service worker (declarative Web Push). */
function declared<P extends Payload>(payload: P) {
  const { titleAr, titleEn, bodyAr, bodyEn, lang, url } = payload
  const [title, body, dir] = lang === 'ar' ? [titleAr, bodyAr, 'rtl'] : [titleEn, bodyEn, 'ltr']
  return { ...payload, web_push: 8030, mutable: true, notification: { title, body: body ?? '', lang, dir, navigate: url } }
}

/** Shortens the bodies, and the titles only if that is not enough. */
function fitPayload<P extends Payload>(payload: P) {
  let fitted = payload
  for (const fields of [['bodyAr', 'bodyEn'] as const, ['titleAr', 'titleEn'] as const]) {
    if (fits(fitted)) break
    fitted = shortenToFit(fitted, fields)
  }
  return JSON.stringify(declared(fitted))
}

const fits = (payload: Payload) => Buffer.byteLength(JSON.stringify(declared(payload))) <= MOST_PAYLOAD_BYTES

const letters = new Intl.Segmenter()

/** Truncates each field to the same number of characters, as many as fit. */
function shortenToFit<P extends Payload>(payload: P, fields: readonly (keyof Texts)[]) {
  const whole = fields.map((field) => Array.from(letters.segment(payload[field] ?? ''), ({ segment }) => segment))
  const keeping = (count: number): P => ({
    ...payload,
    ...Object.fromEntries(
      fields.map((field, index) => {
        const all = whole[index]!
        return [field, all.length > count ? `${all.slice(0, count).join('')}…` : payload[field]]
      }),
    ),
  })
  let least = 0
  let most = Math.max(...whole.map((all) => all.length))
  while (least < most) {
    const middle = Math.ceil((least + most) / 2)
    if (fits(keeping(middle))) least = middle
    else most = middle - 1
  }
  return keeping(least)
}
