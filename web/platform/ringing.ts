/** Plays the sound and vibration that a person has chosen for new notifications: in one tab only, and once for several at a time. */
import { onThisClock, type Schemas } from './client.ts'
import { ours } from './device.ts'
import { onEvent } from './live.ts'
import { me } from './session.ts'
import { play, type SoundId, vibrate } from './sounds.ts'

type Notification = Schemas['Notification']
type Preferences = Required<Schemas['NotificationPreferences']>
type Named<T> = { [K in keyof Preferences]: Preferences[K] extends T ? K : never }[keyof Preferences]

/** The names of the preferences for each kind of notification that a person can switch off. */
export const wishes = {
  order: { isWanted: 'notifyOrdersEnabled', sound: 'notificationSoundOrder', vibrates: 'vibrationEnabledOrder' },
  note: { isWanted: 'notifyNotesEnabled', sound: 'notificationSoundNote', vibrates: 'vibrationEnabledNote' },
  meeting: { isWanted: 'notifyMeetingsEnabled', sound: 'notificationSoundMeeting', vibrates: 'vibrationEnabledMeeting' },
} as const satisfies Record<string, { isWanted: Named<boolean>; sound: Named<SoundId>; vibrates: Named<boolean> }>

/** The sound and vibration for a notification by the person's preferences; undefined for silence. */
function mannerOf(type: Notification['type'], person: Preferences) {
  if (person.notificationsMuted) return undefined
  if (type === 'system') return { sound: 'ding', vibrates: true } as const
  const { isWanted, sound, vibrates } = wishes[type]
  return person[isWanted] ? { sound: person[sound], vibrates: person[vibrates] } : undefined
}

/** Notifications older than this were missed and stay silent. */
const RECENT_MS = 30_000
/** Notifications within this time make one sound. */
const APART_MS = 1500
/** A hidden tab waits this long, so that a visible one plays the sound. */
const HIDDEN_WAITS_MS = 200
/** A tab gives up after this time. It must be shorter than `HOLD_MS`, for which the playing tab holds the lock. */
const GIVE_UP_MS = 1500
const HOLD_MS = 4000

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
let last = 0

async function ring({ id, createdAt, type, isRead }: Notification) {
  const manner = me.peek() && mannerOf(type, me.peek()!)
  const now = Date.now()
  if (!manner || isRead || now - onThisClock(createdAt) > RECENT_MS || now - last < APART_MS) return
  last = now
  const sound = async () => {
    if (!(await play(manner.sound))) return
    if (manner.vibrates) vibrate()
    await pause(HOLD_MS)
  }
  // Without a secure connection there are no locks: the tab with the focus plays.
  if (!navigator.locks) return document.hasFocus() && sound()
  if (document.hidden) await pause(HIDDEN_WAITS_MS)
  await navigator.locks.request(ours(`sound ${id}`), { signal: AbortSignal.timeout(GIVE_UP_MS) }, sound).catch(() => {})
}

/** Plays the sounds of notifications from now on. Returns a function that stops it. */
export const startRinging = () => onEvent('notification_created', ({ notification }) => void ring(notification))
