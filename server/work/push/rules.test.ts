import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { generated } from '../../../test/suite.ts'
import type { RelatedType } from '../../platform/tables.ts'
import { type PushedNotification, payloadOf } from './rules.ts'

const preferences = {
  notificationsMuted: false,
  notifyOrdersEnabled: true,
  notifyMeetingsEnabled: true,
  notifyNotesEnabled: true,
  vibrationEnabledOrder: true,
  vibrationEnabledMeeting: true,
  vibrationEnabledNote: true,
  notificationSoundOrder: 'ding',
  notificationSoundMeeting: 'chime',
  notificationSoundNote: 'pop',
} as const
const pushed: PushedNotification = {
  notificationId: 1,
  type: 'order',
  titleAr: 'عنوان',
  titleEn: 'Title',
  bodyAr: 'نص',
  bodyEn: 'Text',
  relatedType: 'order',
  relatedId: 7,
}
const payload = (fields: Partial<PushedNotification>) => {
  const text = payloadOf({ ...pushed, ...fields }, preferences, 'ar', 'https://p.example')
  return { bytes: Buffer.byteLength(text), ...JSON.parse(text) }
}

const links: [relatedType: RelatedType | null, relatedId: number | null, path: string][] = [
  ['order', 7, '/orders/7'],
  ['note', 7, '/notes/7'],
  ['meeting', 7, '/meetings/7'],
  ['meeting_request', 7, '/meetings/requests/7'],
  ['meeting_task', 7, '/meetings/tasks/7'],
  ['user', 7, '/admin/users/7'],
  ['group', 7, '/access/groups/7'],
  ['role', 7, '/access/roles/7'],
  ['access_request', 7, '/access/requests/7'],
  ['access_review', 7, '/reviews/7'],
  ['order', null, '/notifications'],
  [null, null, '/notifications'],
]
for (const [relatedType, relatedId, path] of links)
  test(`a push about ${relatedType} ${relatedId} links to ${path}`, () =>
    assert.equal(payload({ relatedType, relatedId }).url, `https://p.example${path}`))

test('for browsers that show pushes themselves, a push has a notification with the reader’s shortened texts and the link', () => {
  const { notification, web_push, mutable, bodyAr, url } = payload({ bodyAr: 'ن'.repeat(2000) })
  assert.deepEqual([web_push, mutable], [8030, true])
  assert.deepEqual(notification, { title: 'عنوان', body: bodyAr, lang: 'ar', dir: 'rtl', navigate: url })
  const english = JSON.parse(payloadOf({ ...pushed, bodyEn: null }, preferences, 'en', 'https://p.example'))
  assert.deepEqual(english.notification, { title: 'Title', body: '', lang: 'en', dir: 'ltr', navigate: 'https://p.example/orders/7' })
})

test('texts that fit are unchanged, and texts that are one byte too long are shortened with an ellipsis of three bytes', () => {
  const bodyEn = 'x'.repeat(3072 - payload({ bodyEn: '' }).bytes)
  assert.ok(payload({ bodyEn }).bytes === 3072 && payload({ bodyEn }).bodyEn === bodyEn)
  assert.ok(payload({ bodyEn: `${bodyEn}x` }).bodyEn === `${bodyEn.slice(0, -3)}…`)
})

test('a short text stays whole beside a long one, and null stays null', () => {
  const { bodyAr, bodyEn } = payload({ bodyAr: 'نص قصير', bodyEn: 'x'.repeat(9000) })
  assert.deepEqual([bodyAr, bodyEn.at(-1)], ['نص قصير', '…'])
  assert.equal(payload({ bodyAr: null, bodyEn: 'x'.repeat(9000) }).bodyAr, null)
})

test('titles are shortened only when shortening the bodies is not enough', () => {
  const { bodyAr, bodyEn, titleAr, titleEn, bytes } = payload({ titleAr: 'ع'.repeat(2000), titleEn: 'T'.repeat(2000) })
  assert.deepEqual([bodyAr, bodyEn], ['…', '…'])
  assert.match(titleAr, /^ع+…$/)
  assert.match(titleEn, /^T+…$/)
  assert.ok(bytes <= 3072 && bytes > 3060)
})

const family = '👩‍👩‍👧‍👦'
const pointed = 'بِسْمِ'
const texts = fc
  .array(fc.oneof(fc.constantFrom(family, pointed, '"', '\\', '\n', 'e\u0301', 'ﷺ', '\u0301'), fc.string({ unit: 'grapheme' })), {
    maxLength: 60,
  })
  .chain((parts) => fc.integer({ min: 1, max: 60 }).map((times) => parts.join('').repeat(times)))
const segments = (text: string) => Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment)

test('for any texts, a payload has at most 3 KB, and each text is a prefix of whole characters', () =>
  fc.assert(
    fc.property(texts, texts, texts, texts, (titleAr, titleEn, bodyAr, bodyEn) => {
      const given = { titleAr, titleEn, bodyAr, bodyEn }
      const { bytes, ...pushed } = payload(given)
      assert.ok(bytes <= 3072)
      for (const [field, text] of Object.entries(given)) {
        if (pushed[field] === text) continue
        const left = segments(pushed[field].slice(0, -1))
        assert.equal(pushed[field].at(-1), '…')
        assert.deepEqual(left, segments(text).slice(0, left.length))
      }
    }),
    generated(200, 2000),
  ))
