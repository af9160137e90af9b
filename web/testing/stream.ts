/** The portal's event stream in tests without a browser. Import `outside.ts` first. */
import { startLive } from '../platform/live.ts'

type Events = Parameters<typeof startLive>[0]

/** Opens a stream of these events. `send` delivers one. */
export function openStream(...events: Events) {
  let stream: EventTarget | undefined
  Object.defineProperty(navigator, 'locks', { value: undefined, configurable: true })
  Object.assign(document, { visibilityState: 'visible' })
  Object.assign(globalThis, {
    EventSource: class extends EventTarget {
      constructor() {
        super()
        stream = this
      }
      close() {}
    },
  })
  const stop = startLive(
    events,
    async () => {},
    () => {},
  )
  const send = (event: Events[number], data: object) =>
    stream!.dispatchEvent(Object.assign(new Event(event), { data: JSON.stringify(data), lastEventId: '' }))
  return { send, stop }
}
