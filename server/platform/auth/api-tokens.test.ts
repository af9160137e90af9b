import assert from 'node:assert/strict'
import { test } from 'node:test'
import { crc32 } from 'node:zlib'
import { bearerIn, kindOfToken, lastFourOf, newApiToken } from './api-tokens.ts'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const TOKENS = 10_000

/** The checksum, computed independently of the code under test. */
const checksum = (text: string) => {
  let value = BigInt(crc32(text))
  const digits: string[] = []
  for (; value > 0n; value /= 62n) digits.unshift(ALPHABET[Number(value % 62n)]!)
  return digits.join('').padStart(6, '0')
}

test('a token has a prefix, 36 characters and a checksum of all before it', () => {
  for (const [kind, prefix] of [
    ['personal', 'bwp_'],
    ['service', 'bws_'],
    ['source', 'bwi_'],
  ] as const) {
    const token = newApiToken(kind)
    assert.match(token, /^bw[psi]_[0-9A-Za-z]{42}$/)
    assert.ok(token.startsWith(prefix))
    assert.equal(token.slice(-6), checksum(token.slice(0, -6)))
    assert.deepEqual([kindOfToken(token), lastFourOf(token)], [kind, token.slice(-4)])
  }
})

test('a small checksum is padded with zeros', () => {
  // The first made-up token whose checksum begins with a zero.
  const text = Array.from({ length: 1000 }, (_, n) => `bwp_${String(n).padStart(36, '0')}`).find((one) => checksum(one).startsWith('0'))!
  assert.equal(kindOfToken(text + checksum(text)), 'personal')
})

test('no token with one changed, missing or added character passes', () => {
  for (let n = 0; n < TOKENS; n++) {
    const token = newApiToken('personal')
    const place = n % token.length
    const [before, after] = [token.slice(0, place), token.slice(place + 1)]
    const other = ALPHABET[(ALPHABET.indexOf(token[place]!) + 1 + (n % 60)) % 62]!
    if (other !== token[place]) assert.equal(kindOfToken(before + other + after), undefined, `${token} at ${place}`)
    assert.equal(kindOfToken(before + after), undefined)
    assert.equal(kindOfToken(token + other), undefined)
  }
})

test('all characters occur, and no two tokens are the same', () => {
  const tokens = Array.from({ length: 200 }, () => newApiToken('service'))
  assert.equal(new Set(tokens).size, tokens.length)
  assert.equal(new Set(tokens.flatMap((token) => [...token.slice(4, 40)])).size, 62)
})

for (const text of ['', 'bwp_', 'bwx_', '٠'.repeat(46), 'bwp_ ', 'a'.repeat(100_000), 'bwp_\n'])
  test(`${JSON.stringify(text.slice(0, 20))} is no token`, () => assert.equal(kindOfToken(text), undefined))

for (const [header, token] of [
  [undefined, undefined],
  ['', undefined],
  ['Basic YTpi', undefined],
  ['Bearertoken', undefined],
  ['Bearer', ''],
  ['Bearer ', ''],
  ['Bearer a', 'a'],
  ['bearer   a b', 'a b'],
  ['BEARER a', 'a'],
] as const)
  test(`the header ${JSON.stringify(header)} has the token ${JSON.stringify(token)}`, () => assert.equal(bearerIn(header), token))
