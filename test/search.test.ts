/** Every search finds a text however it is written, in Arabic and in English. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makers } from './makers.ts'
import { PASSWORD, testPortal } from './portal.ts'
import { routes } from './running.ts'

const portal = testPortal()
const make = makers(portal)

/** A stored text, what is searched for, and whether it is found. */
const variants: [stored: string, sought: string, isFound: boolean, what: string][] = [
  ['مُحَمَّدٌ الطَّيِّب', 'محمد الطيب', true, 'stored diacritics are passed over'],
  ['محمد الطيب', 'مُحَمَّد', true, 'diacritics that are looked for are passed over'],
  ['رحمٰن', 'رحمن', true, 'a dagger alef is passed over'],
  ['بـوابــة', 'بوابة', true, 'stored tatweel is passed over'],
  ['بوابة', 'بـــوابة', true, 'tatweel that is looked for is passed over'],
  ['أحمد إبراهيم آدم ٱلله', 'احمد ابراهيم ادم الله', true, 'hamza and madda on alef do not matter'],
  ['احمد ابراهيم', 'أحمد إبراهيم', true, 'nor where they are looked for'],
  ['مستشفى', 'مستشفي', true, 'alef maksura is ya'],
  ['علي', 'على', true, 'ya is alef maksura'],
  ['علی', 'علي', true, 'a Persian ya is ya'],
  ['رئیس', 'رئيس', true, 'a Persian ya is ya within a word'],
  ['کتاب', 'كتاب', true, 'a Persian kaf is kaf'],
  ['كتاب', 'ڪتاب', true, 'a swash kaf is kaf'],
  ['خدمة', 'خدمه', true, 'ta marbuta is ha'],
  ['خدمه', 'خدمة', true, 'ha is ta marbuta'],
  ['غرفة ٤٢', '42', true, 'Arabic digits are digits'],
  ['Room 42', '٤٢', true, 'digits are Arabic digits'],
  ['غرفة ۴۲', '٤٢', true, 'Persian digits are Arabic digits'],
  ['ﻻ ﺑﻮﺍﺑﺔ', 'لا بوابة', true, 'presentation forms are letters'],
  ['Coffee ROOM', 'coffee room', true, 'case does not matter'],
  ['coffee room', 'COFFEE', true, 'nor where it is looked for'],
  ['ÉCOLE Straße', 'école strasse', false, 'a sharp s is not two'],
  ['ÉCOLE', 'école', true, 'nor with accents'],
  ['ＦＵＬＬ width', 'full', true, 'full-width letters are letters'],
  ['office \uFB01le', 'office file', true, 'ligatures are letters'],
  ['Executive office', 'cutive off', true, 'a piece from the middle is found'],
  ['مكتب الرئيس التنفيذي', 'رئيس', true, 'a piece of an Arabic word is found'],
  ['مكتب الرئيس', 'س', true, 'a single letter is found'],
  ['zero\u200Cwidth', 'zerowidth', true, 'what is invisible is passed over'],
  ['paid 100% now', '100%', true, 'a percent sign is itself'],
  ['paid 100 now', '0%n', false, 'and stands for nothing else'],
  ['under_score', 'r_s', true, 'an underscore is itself'],
  ['under-score', 'r_s', false, 'and stands for nothing else'],
  ['back\\slash', 'k\\s', true, 'a backslash is itself'],
  ['backslash', 'k\\s', false, 'and hides nothing'],
  ["O'Brien", "o'b", true, 'a quote is itself'],
  ['قهوة', 'شاي', false, 'another word is not found'],
  ['حمد', 'محمد', false, 'more than there is is not found'],
  ['جمل', 'حمل', false, 'letters that differ by dots differ'],
]

/** A list, how to make a row with a text in it, and the row's id. */
const lists: Record<string, (text: string, n: number) => Promise<{ body: { id: number } }>> = {
  'GET /users': (displayNameAr, n) =>
    portal.admin.post('/users', { username: `sought${n}`, email: `sought${n}@example.org`, password: PASSWORD, displayNameAr }),
  'GET /notes': (content) => portal.admin.post('/notes', { title: 'Note', content }),
  'GET /notes/recipients': (displayNameEn, n) =>
    portal.admin.post('/users', { username: `reached${n}`, email: `reached${n}@example.org`, password: PASSWORD, displayNameEn }),
  'GET /groups': (descriptionEn, n) => portal.admin.post('/groups', { name: `sought${n}`, descriptionEn }),
  'GET /orders': async (notes) => portal.admin.post('/orders', { serviceId: (await make.newService()).id, notes }),
}

test('every list that takes a `q` is searched here', () => {
  const searched = routes.filter(({ endpoint: { query } }) => 'q' in ((query as { properties?: object } | undefined)?.properties ?? {}))
  assert.deepEqual(searched.map(({ at }) => at).toSorted(), Object.keys(lists).toSorted())
})

for (const [at, store] of Object.entries(lists)) {
  let filled: Promise<Map<string, number>> | null = null
  const fill = async () => {
    const texts = [...new Set(variants.map(([stored]) => stored))]
    return new Map(await Promise.all(texts.map(async (text, n) => [text, (await store(text, n)).body.id] as const)))
  }
  for (const [stored, sought, isFound, what] of variants) {
    test(`${at}: ${what} (${sought} in ${stored})`, async () => {
      filled ??= fill()
      const id = (await filled).get(stored)!
      const { status, body } = await portal.admin.get(`${at.slice(4)}?q=${encodeURIComponent(sought)}`)
      const found = (body.items ?? body).some((row: { id: number }) => row.id === id)
      assert.deepEqual([status, id > 0, found], [200, true, isFound])
    })
  }
}

test('names are sorted as the alphabet of the reader’s language has them', async () => {
  const huda = await portal.person('sorter')
  for (const name of ['b', 'ب', 'A', 'أ', 'C', 'ت']) await huda.post('/notes/labels', { name, color: 'blue' })
  const sortedIn = async (language: string) => {
    await huda.patch('/auth/me/language', { language })
    return (await huda.get('/notes/labels')).body.map(({ name }: { name: string }) => name).join(' ')
  }
  assert.deepEqual([await sortedIn('ar'), await sortedIn('en')], ['أ ب ت A b C', 'A b C أ ب ت'])
})

test('long texts are found whole in notes, and nothing in them means anything else', async () => {
  const person = await make.newPerson()
  const texts = ['***=.*', '***:(?i)', 'a+b*c?', '\\d\\w\\1', '[x](y){2}', '^start$', '100%_|or', 'قهوة بالهيل', 'ab'.repeat(80)]
  for (const text of texts) await person.post('/notes', { title: `before ${text} after` })
  const found = async (q: string) =>
    ((await person.get(`/notes?q=${encodeURIComponent(q)}`)).body as { title: string }[]).map(({ title }) => title)
  for (const text of texts) {
    assert.deepEqual(await found(`ore ${text} aft`), [`before ${text} after`])
    assert.deepEqual(await found(`ore ${text}x aft`), [])
  }
})
