/** Letters of scripts that the chosen family lacks. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makers } from '../../../../test/makers.ts'
import { bare, readPages } from '../../../../test/pdf.ts'
import { testPortal } from '../../../../test/portal.ts'
import { day, meeting, person, print } from '../../../../test/schedules.ts'
import { coverageOf, lettersLacking, MARK, writeMarked } from './coverage.ts'
import { bundledFamilies, FALLBACK_FAMILIES, readRegular } from './fonts.ts'
import { DEFAULT_FONT } from './rules.ts'

const covered = ['Делегация', 'Đặng Văn Hậu', 'Γιώργος', 'עברית', 'ไทย', 'Şeyma Ğ', 'خالد العتيبي', '😀', '👩‍👩‍👧', '1️⃣']

for (const fontFamily of bundledFamilies)
  test(`guests’ names in other scripts are printed in a schedule that is set in ${fontFamily}`, async () => {
    const faces = await Promise.all([fontFamily, ...FALLBACK_FAMILIES].map(readRegular))
    assert.deepEqual(lettersLacking(coverageOf(faces), [...covered, 'हिन्दी']), [])
    const names = covered.slice(0, 6)
    for (const language of ['ar', 'en'] as const) {
      const board = [meeting({ titleAr: names[0]!, titleEn: names[1]!, attendees: names.map((name) => person(name, name)) })]
      const page = (await readPages((await print(day(language, board, { font: { ...DEFAULT_FONT, fontFamily } }))).pdf)).join('')
      // PDF readers may return right-to-left words in either order.
      for (const name of names.map(bare))
        assert.ok(
          [name, [...name].reverse().join('')].some((one) => page.normalize().includes(one)),
          `${name} in ${page}`,
        )
      assert.ok(!page.includes(MARK), page)
    }
  })

test('each letter that no font has is printed as one replacement mark', async () => {
  const covers = coverageOf(await Promise.all(FALLBACK_FAMILIES.map(readRegular)))
  const value = { name: '張 偉 Li', list: ['𓀀', 'a\u{1D165}', null], ok: 'خالد' }
  assert.deepEqual(lettersLacking(covers, value), ['張', '偉', '𓀀', 'a\u{1D165}'])
  assert.deepEqual(JSON.parse(writeMarked(covers, value)), { name: '� � Li', list: ['�', '�', null], ok: 'خالد' })
  const page = (await readPages((await print(day('en', [meeting({ attendees: [person('張 Li')] })]))).pdf)).join('')
  assert.ok(page.includes('�Li'), page)
})

test('letters are looked up in linear time', async () => {
  const covers = coverageOf(await Promise.all(FALLBACK_FAMILIES.map(readRegular)))
  const start = performance.now()
  lettersLacking(covers, ['張'.repeat(250_000), `a${'\u0301'.repeat(250_000)}`])
  assert.ok(performance.now() - start < 2000)
})

const portal = testPortal()
const { newPerson } = makers(portal)
const PATH = '/executive-meetings/unprintable'

test('the letters that cannot be printed are listed before printing, for the current state of the day', async () => {
  const who = await newPerson({ roles: ['executive_viewer'] })
  const date = '2031-03-04'
  const lettersOf = async (language: string) => (await who.get(`${PATH}?date=${date}&language=${language}`)).body.letters
  assert.deepEqual(await lettersOf('ar'), [])
  const attendees = [
    { name: '張偉', kind: 'external' },
    { name: 'Đặng Делегация', kind: 'external' },
  ]
  const made = await portal.admin.post('/executive-meetings', { date, titleAr: 'زيارة 東', titleEn: 'Visit', attendees })
  assert.equal(made.status, 201, made.text)
  assert.deepEqual(
    [await lettersOf('ar'), await lettersOf('en')],
    [
      ['東', '張', '偉'],
      ['張', '偉'],
    ],
  )
  for (const query of ['', `?date=${date}`, `?date=2031-02-30&language=ar`, `?date=${date}&language=fr`])
    assert.equal((await who.get(PATH + query)).body.code, 'validation_failed', query)
  assert.equal((await (await newPerson()).get(`${PATH}?date=${date}&language=ar`)).status, 403)
})
