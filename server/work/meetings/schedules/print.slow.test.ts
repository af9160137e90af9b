/** The look of a printed schedule, in every font. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readPages, readTexts, render } from '../../../../test/pdf.ts'
import { board, day, meeting, person, print } from '../../../../test/schedules.ts'
import { bundledFamilies } from './fonts.ts'
import { DEFAULT_FONT } from './rules.ts'

describe('the printed page', () => {
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
  for (const fontFamily of bundledFamilies)
    test(`letters join in ${fontFamily}`, async () => {
      assert.equal(await piecesOf('محمد', fontFamily), 1)
      assert.equal(await piecesOf('م\u200Cح\u200Cم\u200Cد', fontFamily), 4)
    })

  test('only a highlighted meeting is shaded', async () => {
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
  test('emoji are set in their own font', async () => {
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
