import '../testing/outside.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startLive } from './live.ts'

/** Fakes the parts of a browser that the stream needs. */
function browser() {
  const opened: string[] = []
  const closed: string[] = []
  const channels: Channel[] = []
  class Channel {
    onmessage: ((message: { data: unknown }) => void) | undefined
    sent: unknown[] = []
    constructor() {
      channels.push(this)
    }
    postMessage(message: unknown) {
      this.sent.push(message)
    }
    close() {}
  }
  class Source extends EventTarget {
    address: string
    constructor(address: string) {
      super()
      this.address = address
      opened.push(address)
    }
    close() {
      closed.push(this.address)
    }
  }
  Object.assign(globalThis, { BroadcastChannel: Channel, EventSource: Source })
  const see = (visibilityState: 'visible' | 'hidden') => {
    Object.assign(document, { visibilityState })
    dispatchEvent(new Event('visibilitychange'))
  }
  const locks = (value: unknown) => Object.defineProperty(navigator, 'locks', { value, configurable: true })
  return { opened, closed, channels, see, locks }
}
const turn = () => new Promise(setImmediate)

test('without locks, a tab is connected only while it is in sight', () => {
  const { opened, closed, see, locks } = browser()
  locks(undefined)
  see('visible')
  const stop = startLive(
    ['apps_changed'],
    async () => {},
    () => {},
  )
  assert.equal(opened.length, 1)
  see('hidden')
  assert.equal(closed.length, 1)
  see('visible')
  assert.equal(opened.length, 2)
  stop()
  see('visible')
  assert.equal(opened.length, 2)
})

test('a tab in sight opens its own stream once the tab that holds the lock stops answering', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'setInterval', 'Date'], now: 1_000_000 })
  const { opened, channels, see, locks } = browser()
  locks({
    request: (_name: string, { steal }: LockOptions, lead: () => Promise<void>) => (steal ? lead() : new Promise(() => {})),
  })
  see('visible')
  const stop = startLive(
    ['apps_changed'],
    async () => {},
    () => {},
  )
  const pass = async (ms: number) => {
    t.mock.timers.tick(ms)
    await turn()
  }
  await pass(15_000)
  channels[0]!.onmessage!({ data: { state: { isLive: true, isReached: true, heardAt: 0 } } })
  await pass(15_000)
  assert.equal(opened.length, 0)
  await pass(15_000)
  assert.equal(opened.length, 1)
  stop()
})
