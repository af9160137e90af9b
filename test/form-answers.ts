/** Fields of each kind with answers to them, and the expected result of each answer. */
import { type AnswerRule, type Answers, type Facts, type FormField, type Kind, settings } from '../server/work/service-forms/rules.ts'

export const facts: Facts = { today: '2026-03-01', offOptions: [], unknown: [], inactive: [], mistyped: [], wantedAt: null }
export const field = (key: string, kind: Kind, more: Partial<FormField> = {}): FormField => ({
  ...{ key, kind, labelAr: null, labelEn: key, hintAr: null, hintEn: null, required: false, when: [] },
  ...settings[kind],
  ...more,
})
export const options = (keys: string, more: object = {}) => keys.split(' ').map((key) => ({ key, ar: null, en: key, ...more }))

/** The rule that an answer breaks, or the answer as it is stored; `nothing` if nothing is stored and no rule is broken. */
export type Expected = { rule: AnswerRule } | { stored: Answers[string] } | 'nothing'
const breaks = (rule: AnswerRule): Expected => ({ rule })
const stays = (value: Answers[string]): [unknown, Expected] => [value, { stored: value }]
const becomes = (given: unknown, stored: Answers[string]): [unknown, Expected] => [given, { stored }]
const all = (givens: unknown[], expected: Expected): [unknown, Expected][] => givens.map((given) => [given, expected])

export type Table = [title: string, kind: Kind, more: Partial<FormField>, known: Partial<Facts>, lines: [unknown, Expected][]]

const [notTexts, notLists] = [
  [0, 1, true, false, [], ['a'], {}, { a: 1 }],
  [0, true, 'a', {}, { a: 1 }],
]
const marks = `a${'\u0301'.repeat(31)}`
export const one = options('tea coffee water')
const lists: [unknown, Expected][] = [...all(notLists, breaks('kind')), ...all([[1], ['tea', null], [['tea']]], breaks('kind'))]
const texts = (line: boolean): [unknown, Expected][] => [
  ...all(notTexts, breaks('kind')),
  ...all(['', ' ', '\n\t', '\u200b\u200f', '\u0001\u0007'], 'nothing'),
  ...['a', 'ab', 'قهوة', '٣ أكواب', '👍', '<b>', "'; drop table", 'a  b', '0', 'null'].map(stays),
  becomes('  a ', 'a'),
  becomes('e\u0301', 'é'),
  becomes('a\u202eb\u0007c', 'abc'),
  becomes('a\r\nb\tc', line ? 'a b c' : 'a\nb\tc'),
  [marks, breaks('pattern')],
]
export const tables: Table[] = [
  ['text', 'text', {}, {}, [...texts(true), stays('x'.repeat(200)), stays('👍'.repeat(200)), ['x'.repeat(201), breaks('length')]]],
  ['short text', 'text', { maxLength: 1 }, {}, [stays('a'), stays('👍'), ['ab', breaks('length')], becomes(' a ', 'a')]],
  ['paragraph', 'paragraph', {}, {}, [...texts(false), stays('x'.repeat(1000)), ['x'.repeat(1001), breaks('length')]]],
  [
    'e-mail address',
    'text',
    { pattern: 'email' },
    {},
    [
      ...['a@b.co', 'sara.ahmed@mail.example.org', 'سارة@مثال.إختبار', "o'neil+x@a-b.org"].map(stays),
      becomes(' a@b.co ', 'a@b.co'),
      ...all(['a', 'a@', '@b.co', 'a@b', 'a b@c.de', 'a@b.co, c@d.ef', 'a@@b.co', 'a@b..co', '.a@b.co', 'a@b.co.'], breaks('pattern')),
    ],
  ],
  [
    'telephone number',
    'text',
    { pattern: 'phone' },
    {},
    [
      ...['123', '+966 50 123 4567', '(011) 234-5678', '+1.202.555.0100', '920000000'].map(stays),
      ...all(['12', '٠٥٠١٢٣٤', 'call me', '+966x50', '1+23', '1'.repeat(21), '++123'], breaks('pattern')),
    ],
  ],
  [
    'web address',
    'text',
    { pattern: 'url' },
    {},
    [
      ...['https://example.org', 'http://a.b/c?d=e#f', 'https://مثال.إختبار/طريق', 'https://host:8080/x'].map(stays),
      ...all(
        ['example.org', 'javascript:alert(1)', 'ftp://a.b', 'https://', 'https://u:p@a.b', 'https://a b', 'https://a.b/<'],
        breaks('pattern'),
      ),
    ],
  ],
  [
    'whole number',
    'number',
    {},
    {},
    [
      ...[0, 1, -1, 1e12, -1e12, 42].map(stays),
      becomes(-0, 0),
      ...all(['1', '٣', true, [], {}, [1], Number.NaN, Number.POSITIVE_INFINITY], breaks('kind')),
      ...all([0.5, 1.0001, -0.1], breaks('decimals')),
      [1e12 + 1, breaks('max')],
      [-1e300, breaks('min')],
    ],
  ],
  [
    'number between bounds',
    'number',
    { min: -2.5, max: 10, decimals: 2 },
    {},
    [
      ...[-2.5, 10, 0, 0.01, 9.99, 3.1].map(stays),
      ...all([-2.51, -3, -1e9], breaks('min')),
      ...all([10.01, 11], breaks('max')),
      ...all([0.001, 0.1 + 0.2, 1 / 3], breaks('decimals')),
    ],
  ],
  [
    'choice',
    'choice',
    { options: one },
    { offOptions: ['it.water', 'other.tea'] },
    [
      ...['tea', 'coffee'].map(stays),
      ...all([0, true, [], ['tea'], {}, { tea: 1 }], breaks('kind')),
      ...all(['', 'Tea', 'juice', ' tea', 'constructor', '__proto__', 'شاي'], breaks('option')),
      ['water', breaks('optionOff')],
    ],
  ],
  [
    'choices',
    'choices',
    { options: options('a b c d e'), least: 2, most: 3 },
    { offOptions: ['it.e'] },
    [
      ...lists,
      [[], 'nothing'],
      becomes(['b', 'a'], ['a', 'b']),
      becomes(['c', 'a', 'c', 'b', 'a'], ['a', 'b', 'c']),
      ...all([['a'], ['a', 'a', 'a']], breaks('least')),
      [['a', 'b', 'c', 'd'], breaks('most')],
      ...all([['a', 'x'], ['x'], ['a', ''], ['a', 'toString']], breaks('option')),
      ...all([['a', 'e'], ['e']], breaks('optionOff')),
    ],
  ],
  ['choices without bounds', 'choices', { options: one }, {}, [stays(['tea']), stays(['tea', 'coffee', 'water'])]],
  [
    'items',
    'items',
    { options: [...options('a b', { most: 3 }), ...options('c', { most: 99 }), ...options('off', { most: 9 })], mostTotal: 5 },
    { offOptions: ['it.off'] },
    [
      ...all([0, 'a', true, [], ['a'], [['a', 1]]], breaks('kind')),
      ...all([{ a: '1' }, { a: 0.5 }, { a: -1 }, { a: null }, { a: true }, { a: 1e300 }, { a: 1, b: [] }], breaks('kind')),
      ...all([{}, { a: 0 }, { a: 0, b: 0 }, { x: 0 }, { off: 0 }], 'nothing'),
      ...([{ a: 1 }, { a: 3, b: 2 }, { c: 5 }] as Record<string, number>[]).map(stays),
      becomes({ b: 1, a: 0 }, { b: 1 }),
      ...all([{ x: 1 }, { a: 1, x: 1 }, { constructor: 1 }], breaks('option')),
      ...all([{ off: 1 }, { a: 1, off: 2 }], breaks('optionOff')),
      ...all([{ a: 4 }, { c: 6 }, { a: 3, b: 3 }], breaks('most')),
    ],
  ],
  ['yes or no', 'yes_no', {}, {}, [stays(true), stays(false), ...all([0, 1, 'yes', 'true', '', [], {}], breaks('kind'))]],
  [
    'consent',
    'yes_no',
    { mustBeYes: true },
    {},
    [stays(true), ...all([false, null, undefined], breaks('required')), ['yes', breaks('kind')]],
  ],
  [
    'date',
    'date',
    {},
    {},
    [
      ...['2026-03-01', '0001-01-01', '9999-12-31', '2024-02-29'].map(stays),
      ...all([20260301, true, [], {}, '', 'today', '2026-3-1', '2026-02-29', '2026-13-01', '2026-02-30', '0000-01-01'], breaks('kind')),
      ...all(['2026-03-01T00:00:00Z', ' 2026-03-01', '٢٠٢٦-٠٣-٠١', '12026-03-01', '1447-09-12 H'], breaks('kind')),
    ],
  ],
  [
    'date between bounds',
    'date',
    { earliestDays: 1, latestDays: 30 },
    {},
    [...['2026-03-02', '2026-03-31'].map(stays), ...all(['2026-03-01', '1999-01-01'], breaks('early')), ['2026-04-01', breaks('late')]],
  ],
  [
    'date of the past',
    'date',
    { earliestDays: -366, latestDays: -1 },
    {},
    [stays('2026-02-28'), ['2026-03-01', breaks('late')], ['2025-02-27', breaks('early')]],
  ],
  [
    'person',
    'person',
    {},
    { unknown: [9], inactive: [8] },
    [
      ...[1, 7, 2147483647].map(stays),
      ...all(['7', 0, -1, 1.5, 2147483648, true, [], [7], {}], breaks('kind')),
      [8, breaks('inactive')],
      [9, breaks('unknown')],
    ],
  ],
  [
    'moment',
    'wanted_at',
    {},
    {},
    [
      becomes('2026-03-02T08:30:00Z', '2026-03-02T08:30:00.000Z'),
      becomes('2026-03-02T08:30+03:00', '2026-03-02T05:30:00.000Z'),
      becomes('2026-03-02T08:30:00.123456789Z', '2026-03-02T08:30:00.123Z'),
      ...all([0, true, [], {}, '', 'now', '2026-03-02', '2026-03-02T08:30', '2026-02-30T08:30:00Z'], breaks('kind')),
      ...all(['2026-03-02T25:00:00Z', '2026-03-02T08:61:00Z', '2026-03-02 08:30:00Z', '2026-03-02T08:30:00+99:00'], breaks('kind')),
    ],
  ],
  ...(['early', 'late', 'closed'] as const).map(
    (rule): Table => [
      `${rule} moment`,
      'wanted_at',
      {},
      { wantedAt: rule },
      [
        ['2026-03-02T08:30:00Z', breaks(rule)],
        [1, breaks('kind')],
      ],
    ],
  ),
  [
    'files',
    'files',
    { most: 2, types: 'pdf' },
    { unknown: ['gone'], mistyped: ['picture'] },
    [
      ...lists,
      [[], 'nothing'],
      ...[['x'], ['x', 'y']].map(stays),
      becomes(['x', 'x'], ['x']),
      [['x', 'y', 'z'], breaks('most')],
      [['x', 'gone'], breaks('unknown')],
      [['picture'], breaks('type')],
    ],
  ],
  ['files of any type', 'files', {}, { mistyped: ['picture'] }, [stays(['picture']), [['x', 'y'], breaks('most')]]],
  ['text to read', 'info', { required: true }, {}, all([undefined, null, 'a', 1, true, []], 'nothing')],
]
