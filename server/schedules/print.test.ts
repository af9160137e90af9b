/** What is on the paper. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { bare, readInfo, readPages, readWords, render } from '../../test/pdf.ts'
import type { MeetingView } from '../meetings/shapes.ts'
import { bundledFamilies } from './fonts.ts'
import { DEFAULT_FONT } from './rules.ts'
import type { DayContent } from './shapes.ts'
import { typeset } from './typesetting.ts'

const stamp = new Date('2026-11-21T15:00:00Z')
const meeting = (fields: Partial<MeetingView> = {}): MeetingView => ({
  id: 1,
  date: '2026-11-22',
  startTime: '09:00',
  endTime: '10:15',
  titleAr: 'اجتماع',
  titleEn: 'A meeting',
  locationAr: null,
  locationEn: null,
  meetingUrl: null,
  notes: null,
  status: 'scheduled',
  isHighlighted: false,
  sortOrder: 0,
  attendees: [],
  createdBy: 1,
  createdAt: stamp,
  updatedAt: stamp,
  ...fields,
})
const person = (name: string, title: string | null = null, kind: 'internal' | 'external' | 'virtual' = 'internal') => ({
  id: 1,
  name,
  title,
  kind,
  userId: null,
})
const day = (language: 'ar' | 'en', meetings: MeetingView[], fields: Partial<DayContent> = {}): DayContent => ({
  date: '2026-11-22',
  language,
  siteNameAr: 'بوابة الأمانة',
  siteNameEn: 'The Portal',
  font: DEFAULT_FONT,
  meetings,
  ...fields,
})
async function print(content: DayContent, madeAt = '2026-11-21T15:00:00Z') {
  const { pieces, ...rest } = await typeset(JSON.stringify({ content, madeAt }))
  return { pdf: Buffer.concat(pieces), ...rest }
}

const board = [
  meeting({
    titleAr: 'اجتماع اللجنة لمشروع Cloud Platform',
    titleEn: 'Cloud Platform committee',
    locationAr: 'القاعة الكبرى',
    locationEn: 'Main hall',
    notes: 'تقرير الربع الثالث',
    isHighlighted: true,
    attendees: [person('خالد العتيبي', 'مدير المكتب'), person('John Smith', 'Acme (Partner)', 'external'), person('منى', null, 'virtual')],
  }),
  meeting({ startTime: '11:30', endTime: null, titleAr: null, titleEn: 'Budget review', meetingUrl: 'https://meet.example.org/j/7' }),
  meeting({ startTime: null, endTime: null, titleAr: 'زيارة الوفد', titleEn: null, status: 'cancelled' }),
  meeting({ startTime: '13:00', endTime: '14:00', titleAr: 'مقابلة', titleEn: 'Interview', status: 'postponed' }),
]

const inArabic = [
  'بوابة الأمانة',
  'جدول الاجتماعات',
  'الأحد ٢٢ نوفمبر ٢٠٢٦ م',
  '١٢ جمادى الآخرة ١٤٤٨ هـ',
  'الوقت',
  'الحضور',
  '٠٩:٠٠',
  '١٠:١٥',
  '١١:٣٠',
  'القاعة الكبرى',
  'تقرير الربع الثالث',
  'اجتماع اللجنة لمشروع',
  'Cloud Platform',
  'خالد العتيبي، مدير المكتب',
  'John Smith',
  'Acme (Partner)',
  'خارجي',
  'منى',
  'Budget review',
  'https://meet.example.org/j/7',
  'زيارة الوفد',
  'ملغى',
  'مؤجل',
  'صفحة ١ من ١',
]
const inEnglish = [
  'The Portal',
  'Schedule of meetings',
  'Sunday, 22 November 2026',
  '12 Jumada II 1448 AH',
  'Time',
  'Attendees',
  '09:00',
  '10:15',
  '11:30',
  'Main hall',
  'Cloud Platform committee',
  'خالد العتيبي',
  'مدير المكتب',
  'John Smith, Acme (Partner)',
  '(external)',
  'remote',
  'Budget review',
  'زيارة الوفد',
  'Cancelled',
  'Postponed',
  '4 meetings',
  'Page 1 of 1',
]
/** A reader may find the short vowels beside their letters. */
const unvowelled = (text: string) => bare(text).replace(/\p{Mn}/gu, '')

for (const [language, lines] of [
  ['ar', inArabic],
  ['en', inEnglish],
] as const)
  test(`a schedule in ${language} says it all, each text in its order`, async () => {
    const { pdf } = await print(day(language, board))
    const page = unvowelled((await readPages(pdf)).join(''))
    for (const line of lines) assert.ok(page.includes(unvowelled(line)), `${line} in ${page}`)
  })

test('the document tells its title, its author and when it was made', async () => {
  const { pdf } = await print(day('en', board))
  const { Title, Author, CreationDate, ModDate, Pages, JavaScript, ...info } = await readInfo(pdf)
  const made = 'Sat Nov 21 15:00:00 2026 UTC'
  assert.deepEqual(
    { Title, Author, CreationDate, ModDate, Pages, JavaScript },
    {
      Title: 'Schedule of meetings – Sunday, 22 November 2026',
      Author: 'The Portal',
      CreationDate: made,
      ModDate: made,
      Pages: '1',
      JavaScript: 'no',
    },
  )
  assert.equal(info['Page size'], '595.276 x 841.89 pts (A4)')
  assert.match(pdf.toString('latin1'), /\/Lang\s?\(en\)/)
})

test('the same day is the same bytes, and another moment or word is not', async () => {
  const sums = await Promise.all([
    print(day('ar', board)),
    print(day('ar', board)),
    print(day('ar', board), '2026-11-21T15:00:01Z'),
    print(day('ar', board.slice(1))),
  ])
  const [first, again, later, other] = sums.map(({ sha256 }) => sha256)
  assert.equal(first, again)
  assert.equal(new Set([first, later, other]).size, 3)
})

test('a day without meetings says so', async () => {
  assert.ok((await readPages((await print(day('en', []))).pdf))[0]!.includes(bare('There are no meetings on this day.')))
  assert.ok((await readPages((await print(day('ar', []))).pdf))[0]!.includes(bare('لا اجتماعات في هذا اليوم')))
})

describe('ink', () => {
  const MARGIN = 48

  for (const [language, edge, empty] of [
    ['ar', { left: 595 - MARGIN - 60, right: 595 - MARGIN + 3 }, { left: MARGIN, right: 297 }],
    ['en', { left: MARGIN - 3, right: MARGIN + 60 }, { left: 298, right: 595 - MARGIN }],
  ] as const)
    test(`the title in ${language} stands at the edge where reading begins, and the margins are blank`, async () => {
      const { pdf } = await print(day(language, board))
      const paper = await render(pdf)
      const band = { top: 70, bottom: 95 }
      assert.ok(paper.inkIn({ ...edge, ...band }).length > 50)
      assert.equal(paper.inkIn({ ...empty, ...band }).length, 0)
      for (const side of [
        { left: 0, right: MARGIN - 4 },
        { left: 595 - MARGIN + 4, right: 595 },
      ])
        assert.equal(paper.inkIn({ ...side, top: 0, bottom: 842 }).length, 0)
    })

  test('times stand at the right in Arabic and at the left in English', async () => {
    const placeOf = async (language: 'ar' | 'en', time: string) =>
      (await readWords((await print(day(language, board))).pdf)).find(({ word }) => word === time)!.box
    assert.ok((await placeOf('ar', '٠٩:٠٠')).left > 595 - MARGIN - 60)
    assert.ok((await placeOf('en', '09:00')).right < MARGIN + 60)
  })

  for (const fontFamily of bundledFamilies)
    test(`letters join in ${fontFamily}`, async () => {
      const [joined, apart] = ['محمد', 'م\u200Cح\u200Cم\u200Cد']
      const piecesOf = async (name: string) => {
        const { pdf } = await print(
          day('ar', [meeting(), meeting({ attendees: [person(name)] })], { font: { ...DEFAULT_FONT, fontFamily } }),
        )
        const words = (await readWords(pdf)).filter(({ box }) => box.right < 230 && box.top > 155 && box.bottom < 300)
        const box = {
          left: Math.min(...words.map(({ box }) => box.left)),
          right: Math.max(...words.map(({ box }) => box.right)),
          top: Math.min(...words.map(({ box }) => box.top)),
          bottom: Math.max(...words.map(({ box }) => box.bottom)),
        }
        return (await render(pdf, 1, 300)).countPieces(box)
      }
      assert.deepEqual([await piecesOf(joined), await piecesOf(apart)], [1, 4])
    })

  test('a highlighted meeting is shaded, others are not', async () => {
    const shadeOf = async (isHighlighted: boolean) => {
      const { pdf } = await print(day('en', [meeting({ isHighlighted })]))
      const { box } = (await readWords(pdf)).find(({ word }) => word === '09:00')!
      // The bar at the row's beginning.
      return (await render(pdf)).inkIn({ left: MARGIN - 3, right: MARGIN + 4, top: box.top, bottom: box.bottom }).length
    }
    assert.equal(await shadeOf(false), 0)
    assert.ok((await shadeOf(true)) > 10)
  })
})

describe('whatever people write', () => {
  const texts = [
    '#import "@preview/cetz:0.2.0": *',
    '#panic("no") #sys.inputs',
    '$x^2$ *b* _i_ `raw` ```c``` <label> @ref',
    '\\ \\\\ // comment /* and */ = not #{',
    `a'b "c" -- d --- e... ~f`,
  ]
  test('is shown letter by letter and never read as markup', async () => {
    const { pdf } = await print(
      day(
        'en',
        texts.map((text) => meeting({ titleEn: text, titleAr: null })),
      ),
    )
    const page = (await readPages(pdf)).join('')
    for (const text of texts) assert.ok(page.includes(bare(text)), `${text} in ${page}`)
  })

  const wild: [what: string, text: string][] = [
    ['one word of 300 letters', 'W'.repeat(300)],
    ['one Arabic word of 300 letters', 'ط'.repeat(300)],
    ['an address without an end', `https://x.example.org/${'a/'.repeat(130)}`],
    ['emoji and signs that no font has', '🎉 👩‍👧 中文 \u{10FFFD}'],
    ['a bidi override', '\u202Eevil\u202C اسم \u2066x'],
    ['many lines', Array.from({ length: 200 }, (_, n) => `line ${n}`).join('\n')],
    ['only blanks', ' \u00A0\u3000\n\t '],
    ['marks without letters', '\u064B\u0301\u0300'],
    ['nothing', ''],
  ]
  for (const fontSize of [8, 13, 48])
    for (const language of ['ar', 'en'] as const)
      test(`stays within the page at ${fontSize} points in ${language}`, async () => {
        for (const [what, text] of wild) {
          const { pdf } = await print(
            day(language, [meeting({ titleAr: text, titleEn: text, notes: text, attendees: [person(text, text, 'external')] })], {
              font: { ...DEFAULT_FONT, fontSize },
            }),
          )
          const last = Number((await readInfo(pdf))['Pages'])
          for (const page of new Set([1, last])) {
            const paper = await render(pdf, page)
            const around = [
              paper.inkIn({ left: 0, right: 36, top: 0, bottom: 842 }),
              paper.inkIn({ left: 560, right: 596, top: 0, bottom: 842 }),
            ]
            assert.deepEqual(
              around.map((ink) => ink.length),
              [0, 0],
              `${what}, page ${page}`,
            )
          }
        }
      })
})

describe('a long day', () => {
  const crowd = Array.from({ length: 200 }, (_, n) => person(`Guest${n}x`, 'Member of the board'))
  const forty = Array.from({ length: 40 }, (_, n) => meeting({ titleEn: `Title${n}x`, titleAr: null, sortOrder: n }))

  test('each of 40 meetings and of 200 people is there once, below the headings of each page', async () => {
    const { pdf } = await print(day('en', [...forty, meeting({ titleEn: 'The crowd', attendees: crowd })]))
    const pages = await readPages(pdf)
    const all = pages.join('')
    for (const name of [...forty.map(({ titleEn }) => titleEn!), ...crowd.map(({ name }) => name)])
      assert.equal(all.split(name).length - 1, 1, name)
    for (const [index, page] of pages.entries()) {
      assert.ok(page.includes(bare(`Page ${index + 1} of ${pages.length}`)))
      assert.ok(page.includes('Attendees'))
      assert.ok(page.includes(bare('Sunday, 22 November 2026')))
    }
    assert.ok(pages.length > 3)
  })

  test('at 48 points no two words stand on each other', async () => {
    const { pdf } = await print(day('en', forty.slice(0, 6), { font: { ...DEFAULT_FONT, fontSize: 48 } }))
    const words = (await readWords(pdf)).filter(({ box }) => box.bottom - box.top > 30)
    assert.ok(words.length >= 6)
    const overlap = ({ box: one }: (typeof words)[0], { box: two }: (typeof words)[0]) =>
      Math.min(one.right, two.right) - Math.max(one.left, two.left) > 1 &&
      Math.min(one.bottom, two.bottom) - Math.max(one.top, two.top) > (one.bottom - one.top) / 2
    for (const [index, one] of words.entries())
      for (const two of words.slice(index + 1)) assert.ok(!overlap(one, two), `${one.word} ${two.word}`)
  })

  test('page numbers are in the digits of the language', async () => {
    const inArabic = forty.map((one) => ({ ...one, titleAr: 'اجتماع مجلس الإدارة' }))
    const pages = await readPages((await print(day('ar', inArabic))).pdf)
    assert.ok(pages.length > 1)
    for (const [index, page] of pages.entries()) {
      const digits = (n: number) => String(n).replace(/\d/g, (digit) => '٠١٢٣٤٥٦٧٨٩'[Number(digit)]!)
      assert.ok(page.includes(bare(`صفحة ${digits(index + 1)} من ${digits(pages.length)}`)), page.slice(-60))
    }
  })
})

describe('the font settings', () => {
  const at = async (font: Partial<typeof DEFAULT_FONT>) => {
    const { pdf } = await print(day('en', [meeting({ titleEn: 'Title' })], { font: { ...DEFAULT_FONT, ...font } }))
    return { pdf, title: (await readWords(pdf)).find(({ word }) => word === 'Title')!.box }
  }
  const fontsIn = ({ pdf }: { pdf: Buffer }) => pdf.toString('latin1')

  for (const fontFamily of bundledFamilies)
    test(`a schedule is set in ${fontFamily}`, async () =>
      assert.match(fontsIn(await at({ fontFamily })), new RegExp(`\\+${fontFamily.replaceAll(' ', '')}-Regular`)))
  test('a family is known however its name is written, and an unknown one is set in the default', async () => {
    assert.match(fontsIn(await at({ fontFamily: ' cairo ' })), /\+Cairo-Regular/)
    assert.match(fontsIn(await at({ fontFamily: 'Comic Sans' })), /\+Amiri-Regular/)
  })
  test('weight and size are those', async () => {
    assert.match(fontsIn(await at({ fontFamily: 'Cairo', fontWeight: 300 })), /\+Cairo-Light/)
    assert.match(fontsIn(await at({ fontFamily: 'Cairo', fontWeight: 700 })), /\+Cairo-Bold/)
    const [small, large] = [(await at({ fontSize: 8 })).title, (await at({ fontSize: 16 })).title]
    assert.ok(Math.abs((large.right - large.left) / (small.right - small.left) - 2) < 0.05)
  })
  test('texts stand at the start, in the middle, or at the end', async () => {
    const lefts = []
    for (const alignment of ['start', 'center', 'end'] as const) lefts.push((await at({ alignment })).title.left)
    assert.deepEqual(
      lefts,
      lefts.toSorted((one, other) => one - other),
    )
    assert.equal(new Set(lefts).size, 3)
  })
})

describe('the typesetter', () => {
  test('that takes too long is ended', async () => {
    const begun = performance.now()
    await assert.rejects(typeset(JSON.stringify({ content: day('ar', board), madeAt: '2026-11-21T15:00:00Z' }), 10), /SIGKILL/)
    assert.ok(performance.now() - begun < 5000)
  })
  test('that cannot read what it is given says so', async () => assert.rejects(typeset('{'), /ended with 1: .*JSON/s))
})
