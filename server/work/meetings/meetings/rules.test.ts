import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '../../../platform/errors/refusal.ts'
import { checkMeeting, daysAround, daysAsked, entryOf, isBlank, meetingParams, meetingTexts, orderDay } from './rules.ts'
import type { MeetingView } from './shapes.ts'

/** The failing fields with the rules that they break; empty if nothing is refused. */
function refused(act: () => unknown): string[] {
  try {
    act()
    return []
  } catch (error) {
    assert.ok(error instanceof Refusal && error.code === 'validation_failed', String(error))
    return (error.extras.body as { details: { path: string; rule: string }[] }).details.map(({ path, rule }) => `${path}: ${rule}`)
  }
}

test('a title of invisible characters is blank', () => {
  for (const text of ['', ' ', '\u200f', '\u00a0\u202e', null, undefined]) assert.equal(isBlank(text), true, JSON.stringify(text))
  for (const text of ['a', ' a ', '\u200fأ', '.', '😀']) assert.equal(isBlank(text), false, text)
})

const noTitle = ['titleAr: required', 'titleEn: required']
const meetings: [fields: Partial<Parameters<typeof checkMeeting>[0]>, wrong: string[]][] = [
  [{}, []],
  [{ titleEn: null, titleAr: 'ب' }, []],
  [{ titleEn: ' ' }, noTitle],
  [{ titleEn: undefined, titleAr: '\u200f' }, noTitle],
  [{ startTime: '09:00', endTime: '09:01' }, []],
  [{ startTime: '09:00', endTime: '09:00' }, ['endTime: afterStart']],
  [{ startTime: '10:00', endTime: '09:00' }, ['endTime: afterStart']],
  [{ startTime: null, endTime: '09:00' }, []],
  [{ startTime: '09:00', endTime: null }, []],
  [{ startTime: '2', endTime: '1', titleEn: '' }, ['endTime: afterStart', ...noTitle]],
]
for (const [fields, wrong] of meetings)
  test(`a meeting with ${JSON.stringify(fields)} is ${wrong.length ? 'refused' : 'accepted'}`, () => {
    assert.deepEqual(
      refused(() => checkMeeting({ date: '2026-03-01', titleEn: 'Budget', ...fields })),
      wrong,
    )
  })

test('meetings can be listed by one day or by a span', () => {
  assert.deepEqual(daysAsked({ date: '2026-03-01' }), { from: '2026-03-01', to: '2026-03-01' })
  assert.deepEqual(daysAsked({ from: '2026-03-01', to: '2026-03-01' }), { from: '2026-03-01', to: '2026-03-01' })
  // 92 days, both ends included.
  assert.deepEqual(daysAsked({ from: '2026-01-01', to: '2026-04-02' }), { from: '2026-01-01', to: '2026-04-02' })
})

const wrongDays: [asked: Parameters<typeof daysAsked>[0], wrong: string][] = [
  [{}, 'date: required'],
  [{ date: '2026-03-01', from: '2026-03-01' }, 'date: exclusive'],
  [{ date: '2026-03-01', to: '2026-03-01' }, 'date: exclusive'],
  [{ to: '2026-03-01' }, 'from: required'],
  [{ from: '2026-03-01' }, 'to: required'],
  [{ from: '2026-01-01', to: '2026-04-03' }, 'to: maxDays'],
  [{ from: '2026-01-02', to: '2026-01-01' }, 'from: order'],
]
for (const [asked, wrong] of wrongDays)
  test(`listing the days ${JSON.stringify(asked)} is refused`, () =>
    assert.deepEqual(
      refused(() => daysAsked(asked)),
      [wrong],
    ))

test('an order puts the given meetings first and keeps the order of the rest', () => {
  assert.deepEqual(orderDay([1, 2, 3, 4], [3, 1]), [3, 1, 2, 4])
  assert.deepEqual(orderDay([1, 2], []), [1, 2])
  assert.throws(() => orderDay([1, 2], [30, 2, 4]), { code: 'unknown_ids', extras: { body: { unknownIds: [4, 30] } } })
})

const meeting = (fields: Partial<MeetingView> = {}, userIds: (number | null)[] = []): MeetingView =>
  ({
    date: '2026-03-01',
    startTime: '09:00',
    endTime: null,
    titleAr: 'الميزانية',
    titleEn: null,
    locationAr: null,
    locationEn: 'Room 2',
    meetingUrl: null,
    status: 'scheduled',
    attendees: userIds.map((userId, index) => ({ id: index, name: 'x', title: null, kind: 'internal', userId })),
    ...fields,
  }) as MeetingView

test('the days of a change are the meeting’s old and new days', () => {
  assert.deepEqual(daysAround({ before: meeting(), after: meeting({ date: '2026-03-02' }) }), ['2026-03-01', '2026-03-02'])
  assert.deepEqual(daysAround({ before: null, after: meeting() }), ['2026-03-01'])
  assert.deepEqual(daysAround({ before: meeting(), after: null }), ['2026-03-01'])
})

test('a text missing in one language is taken from the other', () => {
  const { ar, en } = meetingParams(meeting())
  assert.deepEqual([en.meeting, en.where, ar.meeting, ar.where], ['الميزانية', ', Room 2', 'الميزانية', '، Room 2'])
  assert.match(en.when, /^Sunday, 1 March 2026 \(.*\) at 09:00$/)
  assert.match(ar.when, /، الساعة 09:00$/)
  const bare = meetingParams(meeting({ startTime: null, titleAr: null, titleEn: 'Budget', locationEn: null, locationAr: '' }))
  assert.deepEqual([bare.ar.meeting, bare.en.meeting, bare.ar.where, bare.en.where], ['Budget', 'Budget', '', ''])
  assert.match(bare.en.when, /\)$/)
  const both = meetingParams(meeting({ titleEn: 'Budget', locationAr: 'القاعة ٢' }))
  assert.deepEqual([both.ar.meeting, both.en.meeting, both.ar.where, both.en.where], ['الميزانية', 'Budget', '، القاعة ٢', ', Room 2'])
  assert.deepEqual([meetingParams(meeting({ titleAr: null })).en.meeting, meetingParams(meeting({ titleAr: '' })).ar.meeting], ['', ''])
})

type Sent = [template: string, recipients: number[]]
const noticesOf = (before: MeetingView | null, after: MeetingView | null, author?: number): Sent[] =>
  meetingTexts({ before, after }, author).map(({ template, people }) => [template, people])

const same = [1, 2]
const postponed = { status: 'postponed' } as const
const changes: [what: string, fields: Partial<MeetingView>, before: Partial<MeetingView>, expected: Sent[]][] = [
  ['not notified of a new title and new notes', { titleEn: 'Other', notes: 'x' } as Partial<MeetingView>, {}, []],
  ['notified of another day', { date: '2026-03-02' }, {}, [['meeting_moved', same]]],
  ['notified of another start', { startTime: '10:00' }, {}, [['meeting_moved', same]]],
  ['notified of another end', { endTime: '10:00' }, {}, [['meeting_moved', same]]],
  ['notified of another place', { locationEn: 'Room 3' }, {}, [['meeting_moved', same]]],
  ['notified of another place in Arabic', { locationAr: 'القاعة ٣' }, {}, [['meeting_moved', same]]],
  ['notified of another address', { meetingUrl: 'https://x.org' }, {}, [['meeting_moved', same]]],
  ['notified that it is cancelled', { status: 'cancelled', date: '2026-03-02' }, {}, [['meeting_cancelled', same]]],
  ['notified that it is postponed', { status: 'postponed' }, {}, [['meeting_postponed', same]]],
  ['notified that it is scheduled again', {}, { status: 'postponed' }, [['meeting_scheduled', same]]],
  ['not notified of a completed meeting', { status: 'completed' } as Partial<MeetingView>, {}, []],
  ['not notified of a meeting that stays cancelled', { status: 'cancelled' }, { status: 'cancelled' }, []],
  ['not notified of another day of a cancelled meeting', { status: 'cancelled', date: '2026-03-02' }, { status: 'cancelled' }, []],
  ['not notified of another place of a completed meeting', { status: 'completed', locationEn: 'Room 3' }, { status: 'completed' }, []],
  ['notified of another day of a postponed meeting', { ...postponed, date: '2026-03-02' }, postponed, [['meeting_moved', same]]],
]
for (const [what, fields, before, expected] of changes)
  test(`attendees are ${what}`, () => assert.deepEqual(noticesOf(meeting(before, same), meeting(fields, same)), expected))

test('new attendees are notified that they are invited, removed ones that they no longer are, and the author of neither', () => {
  assert.deepEqual(noticesOf(null, meeting({}, [1, null, 2])), [['meeting_scheduled', [1, 2]]])
  assert.deepEqual(noticesOf(meeting({}, [1, 2]), null), [['meeting_deleted', [1, 2]]])
  assert.deepEqual(noticesOf(null, meeting({}, [1, 2]), 1), [['meeting_scheduled', [2]]])
  assert.deepEqual(noticesOf(null, meeting({}, [1]), 1), [])
  assert.deepEqual(noticesOf(meeting({}, [1, 2]), meeting({ date: '2026-03-02' }, [2, 3])), [
    ['meeting_moved', [2]],
    ['meeting_joined', [3]],
    ['meeting_left', [1]],
  ])
  assert.deepEqual(noticesOf(meeting({}, [1, 2]), meeting({}, []), 1), [['meeting_left', [2]]])
})

test('attendees removed from a completed or cancelled meeting are not notified', () => {
  for (const status of ['completed', 'cancelled'] as const)
    assert.deepEqual(noticesOf(meeting({ status }, [1]), meeting({ status } as Partial<MeetingView>, [])), [])
})

test('nobody is invited to a completed or cancelled meeting', () => {
  for (const status of ['completed', 'cancelled'] as const) {
    assert.deepEqual(noticesOf(null, meeting({ status }, [1])), [])
    assert.deepEqual(noticesOf(meeting({ status }, [1]), meeting({ status }, [1, 2])), [])
  }
  assert.deepEqual(noticesOf(null, meeting(postponed, [1])), [['meeting_scheduled', [1]]])
  assert.deepEqual(noticesOf(meeting(postponed, [1]), meeting(postponed, [1, 2])), [['meeting_joined', [2]]])
  assert.deepEqual(noticesOf(meeting({}, [1]), meeting({ status: 'cancelled' }, [1, 2])), [['meeting_cancelled', [1]]])
})

test('the notice has the essentials for attendees who can open the meeting, and all details for attendees who cannot', () => {
  const whole = { endTime: '10:00', meetingUrl: 'https://meet.example/7' }
  const [text] = meetingTexts({ before: null, after: meeting(whole, [1]) }, undefined)
  assert.deepEqual(text!.params, meetingParams(meeting()))
  const { ar, en } = text!.paramsForGuests
  assert.match(en.when, / at 09:00 until 10:00, Room 2, https:\/\/meet\.example\/7$/)
  assert.match(ar.when, /، الساعة 09:00 حتى 10:00، Room 2، https:\/\/meet\.example\/7$/)
  assert.deepEqual([ar.where, en.where, en.meeting], ['', '', 'الميزانية'])
  const [off] = meetingTexts({ before: meeting(whole, [1]), after: null }, undefined)
  assert.match(off!.paramsForGuests.en.when, / at 09:00 until 10:00, Room 2$/)
  const [bare] = meetingTexts({ before: meeting({ startTime: null, endTime: '10:00', locationEn: null }, [1]), after: null }, undefined)
  assert.deepEqual(bare!.paramsForGuests, bare!.params)
})

test('an entry of the log has the kind of its record', () => {
  const row = { id: 3, targetId: 7, at: new Date(0), actor: null, refs: {} }
  const shown = { id: 3, entityId: 7, before: null, createdAt: new Date(0), actor: null, revertOf: null, refs: {} }
  assert.deepEqual(entryOf({ ...row, action: 'meeting.create', targetType: 'meeting', facts: { after: { a: 1 } } }), {
    ...shown,
    entityKind: 'meeting',
    action: 'create',
    after: { a: 1 },
  })
  const request = entryOf({ ...row, action: 'meeting_request.approve', targetType: 'meeting_request', facts: { before: { a: 1 } } })
  assert.deepEqual([request.entityKind, request.action, request.before, request.after], ['request', 'approve', { a: 1 }, null])
})
