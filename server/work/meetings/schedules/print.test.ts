/** The contents and the look of a printed schedule. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { bare, readInfo, readPages, readTexts, render } from '../../../../test/pdf.ts'
import { day, meeting, person, print } from '../../../../test/schedules.ts'
import { scale } from '../../../../test/suite.ts'
import { bundledFamilies } from './fonts.ts'
import { DEFAULT_FONT } from './rules.ts'

const board = [
  meeting({
    titleAr: 'اجتماع اللجنة لمشروع Cloud Platform',
    titleEn: 'Cloud Platform committee',
    locationAr: 'القاعة الكبرى',
    locationEn: 'Main hall',
    notes: 'تقرير الربع الثالث\nThe third draft (v2).',
    isHighlighted: true,
    attendees: [person('خالد العتيبي', 'مدير المكتب'), person('John Smith', 'Acme (Partner)', 'external'), person('منى', null, 'virtual')],
  }),
  meeting({ startTime: '11:30', endTime: null, titleAr: null, titleEn: 'Budget review', meetingUrl: 'https://meet.example.org/j/7' }),
  meeting({ startTime: null, endTime: null, titleAr: 'زيارة الوفد', titleEn: null, status: 'cancelled' }),
  meeting({ startTime: '13:00', endTime: '14:00', titleAr: 'مقابلة', titleEn: 'Interview', status: 'postponed' }),
]

/** The texts of that day, by language. */
const printed: [part: string, ar: string[], en: string[]][] = [
  ['title', ['بوابة الأمانة', 'جدول الاجتماعات'], ['The Portal', 'Schedule of meetings']],
  ['date', ['الأحد ٢٢ نوفمبر ٢٠٢٦ م', '١٢ جمادى الآخرة ١٤٤٨ هـ'], ['Sunday, 22 November 2026', '12 Jumada II 1448 AH']],
  ['headings', ['الوقت', 'الحضور'], ['Time', 'Attendees']],
  ['times', ['٠٩:٠٠', '١٠:١٥', '١١:٣٠'], ['09:00', '10:15', '11:30']],
  ['place and address', ['القاعة الكبرى', 'https://meet.example.org/j/7'], ['Main hall']],
  ['titles of the meetings', ['اجتماع اللجنة لمشروع', 'Cloud Platform', 'زيارة الوفد'], ['Cloud Platform committee', 'زيارة الوفد']],
  ['title in the only language it has', ['Budget review'], ['Budget review']],
  ['notes', ['تقرير الربع الثالث', 'The third draft (v2).'], ['The third draft (v2).']],
  ['internal attendees', ['خالد العتيبي، مدير المكتب'], ['خالد العتيبي', 'مدير المكتب']],
  ['external attendees', ['John Smith', 'Acme (Partner)', 'خارجي'], ['John Smith, Acme (Partner)', '(external)']],
  ['remote attendees', ['منى'], ['remote']],
  ['statuses', ['ملغى', 'مؤجل'], ['Cancelled', 'Postponed']],
  ['footer', ['صفحة ١ من ١'], ['4 meetings', 'Page 1 of 1']],
]
/** PDF readers may extract short vowels separately from their letters. */
const unvowelled = (text: string) => bare(text).replace(/\p{Mn}/gu, '')

for (const [n, language] of (['ar', 'en'] as const).entries())
  test(`a schedule in ${language} has all texts of the day`, async (t) => {
    const page = unvowelled((await readPages((await print(day(language, board))).pdf)).join(''))
    for (const [part, ...texts] of printed)
      await t.test(part, () => {
        for (const text of texts[n]!) assert.ok(page.includes(unvowelled(text)), `${text} in ${page}`)
      })
  })

test('the PDF has its title, author and time', async () => {
  const { pdf } = await print(day('en', board))
  const { Title, Author, CreationDate, ModDate, Language, pages, size, hasScripts } = await readInfo(pdf)
  const made = 'D:20261121150000'
  assert.deepEqual([Title, Author], ['Schedule of meetings – Sunday, 22 November 2026', 'The Portal'])
  assert.deepEqual([CreationDate, ModDate], [made, made])
  assert.deepEqual([Language, pages, hasScripts], ['en', 1, false])
  assert.deepEqual((size as number[]).map(Math.round), [595, 842])
})

test('the same day gives the same bytes; another time or other meetings give different bytes', async () => {
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
    test(`the title in ${language} starts at the edge where lines begin, and the margins are blank`, async () => {
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

  test('times are at the right in Arabic and at the left in English', async () => {
    const placeOf = async (language: 'ar' | 'en', time: string) =>
      (await readTexts((await print(day(language, board))).pdf)).find(({ text }) => text === time)!.box
    assert.ok((await placeOf('ar', '٠٩:٠٠')).left > 595 - MARGIN - 60)
    assert.ok((await placeOf('en', '09:00')).right < MARGIN + 60)
  })

  /** The number of connected areas of ink in a printed name. */
  async function piecesOf(name: string, fontFamily: string) {
    const meetings = [meeting(), meeting({ attendees: [person(name)] })]
    const { pdf } = await print(day('ar', meetings, { font: { ...DEFAULT_FONT, fontFamily } }))
    const boxes = (await readTexts(pdf)).map(({ box }) => box).filter(({ right, top, bottom }) => right < 230 && top > 155 && bottom < 300)
    const [left, right] = [Math.min(...boxes.map((box) => box.left)), Math.max(...boxes.map((box) => box.right))]
    const [top, bottom] = [Math.min(...boxes.map((box) => box.top)), Math.max(...boxes.map((box) => box.bottom))]
    return (await render(pdf, 1, 300)).countPieces({ left, right, top, bottom })
  }
  for (const fontFamily of bundledFamilies.slice(0, scale(2, bundledFamilies.length)))
    test(`letters join in ${fontFamily}`, async () => {
      assert.equal(await piecesOf('محمد', fontFamily), 1)
      assert.equal(await piecesOf('م\u200Cح\u200Cم\u200Cد', fontFamily), 4)
    })

  test('a highlighted meeting is shaded, others are not', async () => {
    const shadeOf = async (isHighlighted: boolean) => {
      const { pdf } = await print(day('en', [meeting({ isHighlighted })]))
      const { box } = (await readTexts(pdf)).find(({ text }) => text === '09:00')!
      // The bar at the start of the row.
      return (await render(pdf)).inkIn({ left: MARGIN - 3, right: MARGIN + 4, top: box.top, bottom: box.bottom }).length
    }
    assert.equal(await shadeOf(false), 0)
    assert.ok((await shadeOf(true)) > 10)
  })
})

describe('the font settings', () => {
  const at = async (font: Partial<typeof DEFAULT_FONT>) => {
    const { pdf } = await print(day('en', [meeting({ titleEn: 'Title' })], { font: { ...DEFAULT_FONT, ...font } }))
    return { pdf, title: (await readTexts(pdf)).find(({ text }) => text === 'Title')!.box }
  }
  const fontsIn = ({ pdf }: { pdf: Buffer }) => pdf.toString('latin1')

  for (const fontFamily of bundledFamilies)
    test(`an English schedule is set in ${fontFamily} alone`, async () => {
      const names = [...fontsIn(await at({ fontFamily })).matchAll(/\/BaseFont \/[A-Z]{6}\+(\w+)-/g)].map(([, name]) => name)
      assert.deepEqual([...new Set(names)], [fontFamily.replaceAll(' ', '')])
    })
  test('emoji are drawn in their own font', async () => {
    const { pdf } = await print(day('ar', [meeting({ titleAr: 'حفل 🎉 الختام 👩‍👧' })]))
    assert.match(fontsIn({ pdf }), /\+NotoEmoji-Regular/)
    assert.ok((await readPages(pdf))[0]!.includes('🎉'))
  })
  test('a family’s name is matched regardless of case and spaces, and an unknown one falls back to the default', async () => {
    assert.match(fontsIn(await at({ fontFamily: ' cairo ' })), /\+Cairo-Regular/)
    assert.match(fontsIn(await at({ fontFamily: 'Comic Sans' })), /\+Amiri-Regular/)
  })
  test('the weight and the size follow the settings', async () => {
    assert.match(fontsIn(await at({ fontFamily: 'Cairo', fontWeight: 300 })), /\+Cairo-Light/)
    assert.match(fontsIn(await at({ fontFamily: 'Cairo', fontWeight: 700 })), /\+Cairo-Bold/)
    const [small, large] = [(await at({ fontSize: 8 })).title, (await at({ fontSize: 16 })).title]
    assert.ok(Math.abs((large.right - large.left) / (small.right - small.left) - 2) < 0.05)
  })
  test('texts are aligned at the start, in the centre or at the end', async () => {
    const lefts = []
    for (const alignment of ['start', 'center', 'end'] as const) lefts.push((await at({ alignment })).title.left)
    assert.deepEqual(
      lefts,
      lefts.toSorted((one, other) => one - other),
    )
    assert.equal(new Set(lefts).size, 3)
  })
})
