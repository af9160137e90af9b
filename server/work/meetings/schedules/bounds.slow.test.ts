/** The printed page with the longest, oddest and largest texts and days. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { bare, readInfo, readPages, readTexts, render } from '../../../../test/pdf.ts'
import { day, meeting, person, print } from '../../../../test/schedules.ts'
import { DEFAULT_FONT } from './rules.ts'
import { typeset } from './typesetting.ts'

describe('any text', () => {
  const texts = [
    '#import "@preview/cetz:0.2.0": *',
    '#panic("no") #sys.inputs',
    '$x^2$ *b* _i_ `raw` ```c``` <label> @ref',
    '\\ \\\\ // comment /* and */ = not #{',
    `a'b "c" -- d --- e... ~f`,
  ]
  test('is shown literally and never read as markup', async () => {
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
    ['pictures, and signs that no font has', '🎉 👩‍👧 中文 \u{10FFFD}'],
    ['a bidi override', '\u202Eevil\u202C اسم \u2066x'],
    ['many lines', Array.from({ length: 200 }, (_, n) => `line ${n}`).join('\n')],
    ['only blanks', ' \u00A0\u3000\n\t '],
    ['marks without letters', '\u064B\u0301\u0300'],
    ['nothing', ''],
  ]
  for (const fontSize of [48, 13, 8])
    for (const language of ['ar', 'en'] as const)
      test(`stays within the page at ${fontSize} points in ${language}`, async () => {
        for (const [what, text] of wild) {
          const { pdf } = await print(
            day(language, [meeting({ titleAr: text, titleEn: text, notes: text, attendees: [person(text, text, 'external')] })], {
              font: { ...DEFAULT_FONT, fontSize },
            }),
          )
          const last = (await readInfo(pdf)).pages
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

  test('has each of 40 meetings and 200 people once, and the headings on each page', async () => {
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

  test('has no overlapping texts at 48 points', async () => {
    const { pdf } = await print(day('en', forty.slice(0, 6), { font: { ...DEFAULT_FONT, fontSize: 48 } }))
    const texts = (await readTexts(pdf)).filter(({ box }) => box.bottom - box.top > 30)
    assert.ok(texts.length >= 6)
    const overlap = ({ box: one }: (typeof texts)[0], { box: two }: (typeof texts)[0]) =>
      Math.min(one.right, two.right) - Math.max(one.left, two.left) > 1 &&
      Math.min(one.bottom, two.bottom) - Math.max(one.top, two.top) > (one.bottom - one.top) / 2
    for (const [index, one] of texts.entries())
      for (const two of texts.slice(index + 1)) assert.ok(!overlap(one, two), `${one.text} ${two.text}`)
  })

  test('has page numbers in the digits of the language', async () => {
    const inArabic = forty.map((one) => ({ ...one, titleAr: 'اجتماع مجلس الإدارة' }))
    const pages = await readPages((await print(day('ar', inArabic))).pdf)
    assert.ok(pages.length > 1)
    for (const [index, page] of pages.entries()) {
      const digits = (n: number) => String(n).replace(/\d/g, (digit) => '٠١٢٣٤٥٦٧٨٩'[Number(digit)]!)
      assert.ok(page.includes(bare(`صفحة ${digits(index + 1)} من ${digits(pages.length)}`)), page.slice(-60))
    }
  })
})

describe('the typesetter', () => {
  test('is killed if it takes too long', async () => {
    assert.equal(await typeset(JSON.stringify({ content: day('ar', [meeting()]), madeAt: '2026-11-21T15:00:00Z' }), 10), undefined)
  })
  test('returns no PDF if it crashes', async () => {
    const children = () => readFileSync('/proc/thread-self/children', 'utf8').trim().split(' ')
    const before = children()
    const made = typeset(JSON.stringify({ content: day('ar', [meeting()]), madeAt: '2026-11-21T15:00:00Z' }))
    for (const child of children()) if (!before.includes(child)) process.kill(Number(child), 'SIGSEGV')
    assert.equal(await made, undefined)
  })
  test('fails with its output if it cannot read its input', async () => assert.rejects(typeset('{'), /ended with 1: .*JSON/s))
})
