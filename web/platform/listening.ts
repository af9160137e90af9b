/** What a session needs while it lasts, loaded with it: the event stream, and what its events mean for the cache. */
import { invalidate } from './cache.ts'
import { answer, api } from './client.ts'
import { eventsToCache } from './events-to-cache.ts'
import { type EventData, type EventName, hear, startLive } from './live.ts'

/** Keeps the cache true until `ended`; `end` hears that the session was ended elsewhere. */
export function listen(ended: AbortSignal, end: (reason: EventData<'session_ended'>['reason']) => unknown) {
  const events = Object.keys(eventsToCache) as EventName[]
  const stops: (() => void)[] = events.map((event) => hear(event, (data) => (eventsToCache[event] as (data: unknown) => unknown)(data)))
  stops.push(
    hear('session_ended', ({ reason }) => end(reason)),
    startLive(events, () => answer(api.GET('/auth/me')), invalidate),
  )
  ended.addEventListener('abort', () => {
    for (const stop of stops) stop()
  })
}
