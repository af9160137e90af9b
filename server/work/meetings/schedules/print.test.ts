/** The contents and the look of a printed schedule. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bare, readInfo, readPages } from '../../../../test/pdf.ts'
import { board, day, print } from '../../../../test/schedules.ts'

/** The texts of the printed day, by language. */
const printed: [part: string, ar: string[], en: string[]][] = [
  ['title', ['بوابة الأمانة', 'جدول الاجتماعات'], ['The Portal', 'Schedule of meetings']],
  ['date', ['الأحد ٢٢ نوفمبر ٢٠٢٦ م', '١٢ جمادى الآخرة ١٤٤٨ هـ'], ['Sunday, 22 November 2026', '12 Jumada II 1448 AH']],
  ['headings', ['الوقت', 'الحاضرون'], ['Time', 'Attendees']],
  ['times', ['٠٩:٠٠', '١٠:١٥', '١١:٣٠'], ['09:00', '10:15', '11:30']],
  ['place and address', ['القاعة الكبرى', 'https://meet.example.org/j/7'], ['Main hall']],
  ['titles of the meetings', ['اجتماع اللجنة لمشروع', 'Cloud Platform', 'زيارة الوفد'], ['Cloud Platform committee', 'زيارة الوفد']],
  ['title in the only language it has', ['Budget review'], ['Budget review']],
  ['notes', ['تقرير الربع الثالث', 'The third draft (v2).'], ['The third draft (v2).']],
  ['internal attendees', ['خالد العتيبي، مدير المكتب'], ['خالد العتيبي', 'مدير المكتب']],
  ['external attendees', ['John Smith', 'Acme (Partner)', 'خارجي'], ['John Smith, Acme (Partner)', '(external)']],
  ['attendees by video', ['منى'], ['by video']],
  ['statuses', ['ملغى', 'مؤجل'], ['Cancelled', 'Postponed']],
  ['footer', ['صفحة ١ من ١'], ['4 meetings', 'Page 1 of 1']],
]
/** A text without short vowels, which PDF readers may extract separately from their letters. */
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
