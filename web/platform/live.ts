/** One event stream for all tabs of a browser: the tab that holds the lock receives the events and passes them on. */
import { signal } from '@preact/signals'
import { isReached, readAfter, type Schemas } from './client.ts'
import { ours } from './device.ts'
import { at } from './router.ts'

type Message = Schemas['StreamMessage']
export type EventName = Message['event']
export type EventData<E extends EventName> = Extract<Message, { event: E }>['data']

/** Whether a tab of this browser receives events. */
export const isLive = signal(false)

type LiveEvent = { event: EventName; data: unknown; id: string }
const listeners = new Set<(message: LiveEvent) => void>()

/** Calls back for each event of a name, whichever tab has the stream. Returns a function that stops it. */
export function onEvent<E extends EventName>(event: E, call: (data: EventData<E>) => void) {
  const listener = (message: LiveEvent) => {
    if (message.event === event) call(message.data as EventData<E>)
  }
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

const AGAIN_MS = 2000
const LONGEST_MS = 60_000
const JUST_NOW_MS = 5000
/** How often a tab in sight asks whether the tab with the stream is still there. */
const ASK_EVERY_MS = 15_000

/**
 * Listens to the events `names`, beginning with those after `readAfter`. Returns a function that stops it. `check` runs before a refused
 * stream is opened again and must throw if nobody is signed in any more. `missed` is called if this page may have missed events before it
 * began to listen.
 */
export function startLive(names: EventName[], check: () => Promise<unknown>, missed: () => void) {
  let last = readAfter
  let heardAt = 0
  let stream: EventSource | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let patience = AGAIN_MS
  let hasBegun = false
  let isKnown = false
  let isAsking = false
  const ended = new AbortController()
  const tabs = new BroadcastChannel(ours('live'))

  const dispatch = (message: LiveEvent) => {
    last = message.id || last
    heardAt = Date.now()
    for (const listener of [...listeners]) listener(message)
  }
  const state = () => ({ isLive: isLive.peek(), isReached: isReached.peek(), heardAt })
  tabs.onmessage = ({ data }: MessageEvent<{ heard?: LiveEvent; state?: ReturnType<typeof state>; ask?: true }>) => {
    if (data.ask && stream) tabs.postMessage({ state: state() })
    // A tab with its own stream would receive everything twice.
    if (stream) return
    if (data.heard) dispatch(data.heard)
    if (!data.state) return
    isAsking = false
    // The tab with the stream may have passed an event on before this tab listened.
    if (!isKnown && Date.now() - data.state.heardAt < JUST_NOW_MS) missed()
    isKnown = true
    isLive.value = data.state.isLive
    isReached.value = data.state.isReached
  }
  const show = (value: boolean) => {
    if (ended.signal.aborted) return
    isLive.value = value
    tabs.postMessage({ state: state() })
  }

  function open() {
    const query = last && `?lastEventId=${encodeURIComponent(last)}`
    const opened = new EventSource(at(`/api/events${query}`))
    stream = opened
    opened.onopen = () => {
      patience = AGAIN_MS
      if (!query && !hasBegun) missed()
      hasBegun = true
      isReached.value = true
      show(true)
    }
    opened.onerror = () => {
      // The stream was down already and could not be opened again.
      if (!isLive.peek() && opened.readyState === EventSource.CONNECTING) isReached.value = false
      show(false)
      // Unless the portal refused the stream, the browser opens it again by itself.
      if (opened.readyState !== EventSource.CLOSED) return
      timer = setTimeout(async () => {
        // `check` may succeed while the stream stays refused: people who must set up a second factor first get no events.
        patience = Math.min(patience * 2, LONGEST_MS)
        await check().then(open, () => opened.onerror?.(new Event('error')))
      }, patience)
    }
    for (const event of names)
      opened.addEventListener(event, ({ data, lastEventId }: MessageEvent<string>) => {
        const message = { event, data: JSON.parse(data), id: lastEventId }
        if (event === 'session_ended') opened.close()
        // Tell the other tabs first: a listener that ends the session closes the channel. Tabs of an older build read the field `heard`, so
        // it keeps its name.
        tabs.postMessage({ heard: message })
        dispatch(message)
      })
  }

  tabs.postMessage({ ask: true })
  const lead = () =>
    new Promise<void>((resolve) => {
      open()
      ended.signal.addEventListener('abort', () => resolve())
    })
  const close = () => {
    stream?.close()
    stream = undefined
  }
  const isInSight = () => document.visibilityState === 'visible'
  const lock = (options: LockOptions): Promise<unknown> =>
    navigator.locks.request(ours('live'), options, lead).catch(() => {
      // Another tab took the lock while this one was asleep.
      close()
      if (!ended.signal.aborted) lock({ signal: ended.signal })
    })
  const ask = () => {
    if (stream || !isInSight()) return
    // The tab that had the lock did not answer: the browser has put it to sleep.
    if (isAsking) lock({ steal: true })
    tabs.postMessage({ ask: true })
    isAsking = true
  }
  // Without a secure connection there are no locks, so each tab has its own stream while it is in sight. A hidden tab closes its stream,
  // because a browser opens only six connections to a host.
  const follow = () => {
    if (!isInSight()) close()
    else if (!stream) open()
  }
  if (navigator.locks) lock({ signal: ended.signal })
  else follow()
  const asking = navigator.locks && setInterval(ask, ASK_EVERY_MS)
  if (!navigator.locks) addEventListener('visibilitychange', follow, true)

  return () => {
    ended.abort()
    clearInterval(asking)
    removeEventListener('visibilitychange', follow, true)
    clearTimeout(timer)
    stream?.close()
    tabs.close()
    isLive.value = false
  }
}
