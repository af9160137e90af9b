import assert from 'node:assert/strict'
import { test } from 'node:test'
import { restOf } from '../webhooks/rules.ts'
import { delayAfter, type Entry, framed, lineOf, portionOf, refusedLine, syslogMessage, written } from './rules.ts'
import { replayFrom } from './transports.ts'

const entry: Entry = {
  ...{ place: 7, at: '2026-03-01T08:30:00.123456Z', source: 'ledger', action: 'user.update', kind: 'user.updated', sequence: 42 },
  ...{
    actorId: 1,
    actorUsername: 'admin',
    targetType: 'user',
    targetId: 9,
    ip: null,
    facts: { username: 'سارة' },
    isWarning: false,
    hash: 'a'.repeat(64),
    lastId: null,
  },
}
const line = lineOf(entry)
const host = 'portal.example.org'
const headOf = (message: string) => message.slice(0, message.indexOf('{'))

test('a message of syslog has the header, the structured data and the line after a byte-order mark', () => {
  const message = syslogMessage(entry, { host, most: 8192 })
  const head =
    '<109>1 2026-03-01T08:30:00.123456Z portal.example.org bawaba - user.update [bawaba@32473 id="7" actor="admin" target="user/9"] \ufeff'
  assert.equal(headOf(message), head)
  assert.deepEqual(JSON.parse(message.slice(head.length)), line)
})

test('a message that is sent again has the same id and is marked as replayed', () => {
  assert.match(
    syslogMessage(entry, { host, most: 8192, isReplayed: true }),
    /\[bawaba@32473 id="7" actor="admin" target="user\/9" replayed="true"\]/,
  )
})

test('security events marked as warnings, forced deletions and missing rows are warnings; everything else is a notice', () => {
  const priorityOf = (changes: Partial<Entry>) => syslogMessage({ ...entry, ...changes }, { host, most: 8192 }).slice(0, 5)
  const security = { source: 'security', hash: null } as const
  assert.equal(priorityOf({ ...security, action: 'confirmation_required', isWarning: true }), '<108>')
  assert.equal(priorityOf({ ...security, action: 'session.ended' }), '<109>')
  assert.equal(priorityOf({}), '<109>')
  assert.equal(priorityOf({ action: 'user.force_delete' }), '<108>')
  assert.equal(priorityOf({ action: null }), '<108>')
})

test('quotes, backslashes and brackets are escaped, and no control character breaks a message', () => {
  const actorUsername = 'a"b\\c]d\ne\u0085f\u2028'
  const odd = { ...entry, actorUsername, facts: { text: 'one\ntwo\r\u007f\u0085\u2028' } }
  const message = syslogMessage(odd, { host: 'bad host\n', most: 8192 })
  assert.match(message, /actor="a\\"b\\\\c\\\]def"/)
  assert.match(message, / badhost bawaba /)
  assert.doesNotMatch(message, /[\p{Cc}\u2028\u2029]/u)
  assert.equal(JSON.parse(message.slice(message.indexOf('{'))).facts.text, 'one\ntwo\r\u007f\u0085\u2028')
})

test('octet counting counts bytes, and the other framing ends each message with a line feed', () => {
  assert.equal(framed('سلام', 'octets'), '8 سلام')
  assert.equal(framed('سلام', 'lf'), 'سلام\n')
})

test('a line that is too long leaves out its largest facts and names them, with no letter cut in two', () => {
  const facts = { username: 'sara', userIds: Array(5000).fill(123456), words: 'حرف😀'.repeat(3000) }
  for (const most of [2048, 2049, 2050, 8192]) {
    const message = syslogMessage({ ...entry, facts }, { host, most })
    assert.ok(Buffer.byteLength(message) <= most, String(most))
    const sent = JSON.parse(message.slice(message.indexOf('{')))
    assert.deepEqual([sent.facts, sent.cut, sent.rowHash], [{ username: 'sara' }, ['userIds', 'words'], 'a'.repeat(64)])
  }
  const many = Object.fromEntries(Array.from({ length: 3000 }, (_, n) => [`a_long_name_of_a_fact_${n}`, n]))
  assert.ok(Buffer.byteLength(written(lineOf({ ...entry, facts: many }), 2048)) <= 2048)
  assert.equal(written(line, 8192), JSON.stringify(line))
})

test('a portion ends before a mebibyte, and has one line at least', () => {
  const linesOf = (bytes: number) => portionOf(Array(5).fill(entry), () => 'x'.repeat(bytes)).length
  assert.deepEqual([100, 300_000, 2_000_000].map(linesOf), [5, 3, 1])
})

test('of executive meetings only ids and dates are sent', () => {
  const facts = {
    before: {
      id: 3,
      date: '2031-05-06',
      titleEn: 'Merger',
      startTime: '10:00',
      attendees: [{ name: 'Huda', userId: 5 }],
      createdAt: '2031-01-01T00:00:00.000Z',
    },
    after: null,
    changed: {
      date: { from: '2031-05-06', to: '2031-05-07' },
      meetingId: { from: 1, to: 2 },
      notes: { from: 'one', to: '2031-05-07 two' },
    },
    reason: 'hushed',
    sortOrder: 4,
  }
  for (const targetType of ['meeting', 'meeting_request', 'meeting_task', 'pdf_archive', 'font_settings'])
    assert.deepEqual(lineOf({ ...entry, targetType, facts }).facts, {
      before: { id: 3, date: '2031-05-06', attendees: [{ userId: 5 }], createdAt: '2031-01-01T00:00:00.000Z' },
      changed: { date: { from: '2031-05-06', to: '2031-05-07' }, meetingId: { from: 1, to: 2 } },
    })
  assert.deepEqual(lineOf({ ...entry, facts }).facts, facts)
})

test('the line of a deleted row reports it as missing, and a refused line is its number alone', () => {
  const gone = lineOf({ ...entry, action: null, kind: null, sequence: null, facts: null, hash: null })
  assert.deepEqual([gone.id, gone.source, gone.event, gone.facts], [7, 'ledger', 'audit_stream.missing', { count: 1 }])
  assert.equal(refusedLine(7), '{"id":7,"refused":true}')
})

test('pauses grow from a second to five minutes; a collector’s request for a week’s pause is cut to six hours', () => {
  assert.deepEqual(
    [1, 2, 5].map((failures) => delayAfter(failures, 0.5)),
    [1000, 2000, 16_000],
  )
  for (const chance of [0, 0.5, 1]) assert.ok(delayAfter(1, chance) >= 1000 && delayAfter(1000, chance) <= 300_000)
  assert.equal(restOf('604800', 0), 6 * 3600 * 1000)
})

test('lines of the last half minute before a connection ended are sent again', () => {
  const at = (seconds: number) => new Date(seconds * 1000)
  const marks = [5, 20, 35, 50].map((seconds, n) => ({ place: n * 10, at: at(seconds).toISOString() }))
  assert.equal(replayFrom({ place: 40, sentAt: at(60), marks }), 10)
  assert.equal(replayFrom({ place: 40, sentAt: at(50), marks }), 10)
  assert.equal(replayFrom({ place: 40, sentAt: at(30), marks }), 0)
  assert.equal(replayFrom({ place: 40, sentAt: at(6000), marks }), 30)
  assert.equal(replayFrom({ place: 40, sentAt: null, marks: [] }), 40)
})
