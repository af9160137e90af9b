import assert from 'node:assert/strict'
import { promises as dns } from 'node:dns'
import { afterEach, mock, test } from 'node:test'
import { resolvePublic } from './lookups.ts'

afterEach(() => mock.restoreAll())

const FOUR = ['192.0.2.1', '192.0.2.2']
const SIX = ['2001:db8::1']
const unknown = Object.assign(new Error('queryA ENOTFOUND'), { code: 'ENOTFOUND' })
const late = Object.assign(new Error('queryAaaa ETIMEOUT'), { code: 'ETIMEOUT' })
/** Fakes name servers that give these answers. */
function serve(four: string[] | Error, six: string[] | Error) {
  const answer = (said: string[] | Error) => async () => (said instanceof Error ? Promise.reject(said) : said)
  mock.method(dns.Resolver.prototype, 'resolve4', answer(four) as () => Promise<string[]>)
  mock.method(dns.Resolver.prototype, 'resolve6', answer(six) as () => Promise<string[]>)
}
const look = () => resolvePublic('example.org', new AbortController().signal)
const fours = FOUR.map((address) => ({ address, family: 4 }))
const sixes = SIX.map((address) => ({ address, family: 6 }))

for (const [what, four, six, found] of [
  ['both families', FOUR, SIX, [...fours, ...sixes]],
  ['the older family alone', FOUR, unknown, fours],
  ['the newer family alone', unknown, SIX, sixes],
  ['neither, though both answer', [], [], []],
  ['neither, though one of them answers', [], late, []],
] as const)
  test(`the lookup of a name with addresses of ${what} returns exactly these`, async () => {
    serve(four as string[] | Error, six as string[] | Error)
    assert.deepEqual(await look(), found)
  })

test('an unknown name is refused with the reason of the name servers', async () => {
  for (const six of [late, []]) {
    serve(unknown, six)
    await assert.rejects(look(), { code: 'ENOTFOUND' })
  }
})

test('a lookup is cancelled when its caller gives up, unless it is over', async () => {
  const cancelled = mock.method(dns.Resolver.prototype, 'cancel', () => {})
  const waiting = Promise.withResolvers<string[]>()
  mock.method(dns.Resolver.prototype, 'resolve4', () => waiting.promise)
  mock.method(dns.Resolver.prototype, 'resolve6', () => waiting.promise)
  const [one, other] = [new AbortController(), new AbortController()]
  const looked = [one, other].map(({ signal }) => resolvePublic('example.org', signal))
  one.abort()
  assert.equal(cancelled.mock.callCount(), 1)
  waiting.resolve([])
  await Promise.all(looked)
  other.abort()
  assert.equal(cancelled.mock.callCount(), 1)
})
