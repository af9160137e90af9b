/** The event stream and the effect of its events on the cache. Loaded only for a session. */
import { invalidate } from './cache.ts'
import { answer, api } from './client.ts'
import { eventsToCache } from './events-to-cache.ts'
import { type EventData, type EventName, onEvent, startLive } from './live.ts'

/** Keeps the cache up to date until `ended`; calls `end` if the session ends elsewhere. */
export function listen(ended: AbortSignal, end: (reason: EventData<'session_ended'>['reason']) => unknown) {
  const events = Object.keys(eventsToCache) as EventName[]
  const stops: (() => void)[] = events.map((event) => onEvent(event, (data) => (eventsToCache[event] as (data: unknown) => unknown)(data)))
  stops.push(
    onEvent('session_ended', ({ reason }) => end(reason)),
    startLive(events, () => answer(api.GET('/auth/me')), invalidate),
  )
  ended.addEventListener('abort', () => {
    for (const stop of stops) stop()
  })
}
