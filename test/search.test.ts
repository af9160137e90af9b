/** Every search finds a text in all its spellings, in Arabic and English. */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { PASSWORD } from './portal.ts'
import { routes } from './running.ts'
import { seededPortal } from './seed.ts'
import { scale } from './suite.ts'

const { org, seeded } = seededPortal()

/** A stored text, the search term, and whether it is found. */
const variants: [stored: string, sought: string, isFound: boolean, what: string][] = [
  ['مُحَمَّدٌ الطَّيِّب', 'محمد الطيب', true, 'stored diacritics are ignored'],
  ['محمد الطيب', 'مُحَمَّد', true, 'diacritics in the query are ignored'],
  ['رحمٰن', 'رحمن', true, 'a dagger alef is ignored'],
  ['بـوابــة', 'بوابة', true, 'stored tatweel is ignored'],
  ['بوابة', 'بـــوابة', true, 'tatweel in the query is ignored'],
  ['أحمد إبراهيم آدم ٱلله', 'احمد ابراهيم ادم الله', true, 'hamza and madda on a stored alef are ignored'],
  ['احمد ابراهيم', 'أحمد إبراهيم', true, 'hamza on an alef in the query is ignored'],
  ['مستشفى', 'مستشفي', true, 'alef maksura equals ya'],
  ['علي', 'على', true, 'ya equals alef maksura'],
  ['علی', 'علي', true, 'a Persian ya equals ya'],
  ['رئیس', 'رئيس', true, 'a Persian ya within a word equals ya'],
  ['کتاب', 'كتاب', true, 'a Persian kaf equals kaf'],
  ['كتاب', 'ڪتاب', true, 'a swash kaf equals kaf'],
  ['خدمة', 'خدمه', true, 'ta marbuta equals ha'],
  ['خدمه', 'خدمة', true, 'ha equals ta marbuta'],
  ['غرفة ٤٢', '42', true, 'stored Arabic digits are found by European ones'],
  ['Room 42', '٤٢', true, 'European digits are found by Arabic ones'],
  ['غرفة ۴۲', '٤٢', true, 'Persian digits are found by Arabic ones'],
  ['ﻻ ﺑﻮﺍﺑﺔ', 'لا بوابة', true, 'presentation forms equal their letters'],
  ['Coffee ROOM', 'coffee room', true, 'the case of a stored text is ignored'],
  ['coffee room', 'COFFEE', true, 'the case of the query is ignored'],
  ['ÉCOLE Straße', 'école strasse', false, 'a sharp s is not found by two s'],
  ['ÉCOLE', 'école', true, 'the case of accented letters is ignored'],
  ['ＦＵＬＬ width', 'full', true, 'full-width letters equal ordinary ones'],
  ['office \uFB01le', 'office file', true, 'ligatures equal their letters'],
  ['Executive office', 'cutive off', true, 'a piece from the middle is found'],
  ['مكتب الرئيس التنفيذي', 'رئيس', true, 'a piece of an Arabic word is found'],
  ['مكتب الرئيس', 'س', true, 'a single letter is found'],
  ['zero\u200Cwidth', 'zerowidth', true, 'invisible characters are ignored'],
  ['paid 100% now', '100%', true, 'a percent sign is found'],
  ['paid 100 now', '0%n', false, 'a percent sign is no wildcard'],
  ['under_score', 'r_s', true, 'an underscore is found'],
  ['under-score', 'r_s', false, 'an underscore is no wildcard'],
  ['back\\slash', 'k\\s', true, 'a backslash is found'],
  ['backslash', 'k\\s', false, 'a backslash escapes nothing'],
  ["O'Brien", "o'b", true, 'a quote is found'],
  ['قهوة', 'شاي', false, 'another word is not found'],
  ['حمد', 'محمد', false, 'a longer query is not found'],
  ['جمل', 'حمل', false, 'letters that differ by their dots differ'],
]

const newAccount = (username: string, names: object) =>
  org.admin.post('/users', { username, email: `${username}@example.org`, password: PASSWORD, ...names })
/** One record of each kind that lists refer to. */
let about: { app: number; role: number; group: number; service: number }
before(async () => {
  await seeded
  const fields = { slug: 'searched', nameAr: 'تطبيق', nameEn: 'App', iconName: 'box', route: '/app', color: 'red' }
  const idOf = async (path: string, body: object) => (await org.admin.post(path, body)).body.id
  about = {
    app: await idOf('/apps', fields),
    role: await idOf('/roles', { name: 'searched' }),
    group: await idOf('/groups', { name: 'searched' }),
    service: org.coffee.id,
  }
  await org.admin.put(`/services/${org.coffee.id}/handling`, { onBehalf: 'everyone' })
})

/** Each list with a search, and how to make a row that contains a text. */
const lists: Record<string, (text: string, n: number) => Promise<{ body: { id: number } }>> = {
  'GET /users': (displayNameAr, n) => newAccount(`listed${n}`, { displayNameAr }),
  'GET /notes': (content) => org.admin.post('/notes', { title: 'Note', content }),
  'GET /notes/recipients': (displayNameEn, n) => newAccount(`recipient${n}`, { displayNameEn }),
  'GET /groups': (descriptionEn, n) => org.admin.post('/groups', { name: `listed${n}`, descriptionEn }),
  'GET /roles': (descriptionAr, n) => org.admin.post('/roles', { name: `listed${n}`, descriptionAr }),
  'GET /permissions': (descriptionEn, n) => org.admin.post('/permissions', { name: `listed.made${n}`, descriptionEn }),
  'GET /admin/apps': (nameAr, n) =>
    org.admin.post('/apps', { slug: `listed-${n}`, nameAr, nameEn: 'App', iconName: 'box', route: '/app', color: '#0af' }),
  'GET /apps/:id/audience': (displayNameEn, n) => newAccount(`viewer${n}`, { displayNameEn }),
  'GET /admin/audit-logs': (descriptionEn, n) => org.admin.post('/groups', { name: `logged${n}`, descriptionEn }),
  'GET /roles/:id/holders': async (displayNameAr, n) => {
    const account = await newAccount(`holder${n}`, { displayNameAr })
    await org.admin.post(`/users/${account.body.id}/roles`, { roleName: 'searched' })
    return account
  },
  'GET /groups/:id/members': async (displayNameAr, n) => {
    const account = await newAccount(`member${n}`, { displayNameAr })
    await org.admin.post(`/groups/${about.group}/users`, { userId: account.body.id })
    return account
  },
  'GET /orders/receivers': async (displayNameEn, n) => {
    const account = await newAccount(`receiver${n}`, { displayNameEn })
    await org.admin.post(`/users/${account.body.id}/roles`, { roleName: 'order_receiver' })
    return account
  },
  'GET /access-requests/offers': async (descriptionAr, n) => {
    const group = await org.admin.post('/groups', { name: `offered${n}`, descriptionAr })
    await org.admin.put(`/groups/${group.body.id}/request-policy`, { requestable: true })
    return group
  },
  'GET /services/:id/people': (displayNameEn, n) => newAccount(`beneficiary${n}`, { displayNameEn }),
  'GET /orders': (notes) => org.admin.post('/orders', { serviceId: org.coffee.id, notes }),
  'GET /orders/details': (notes) => org.admin.post('/orders', { serviceId: org.coffee.id, notes }),
}

test('every list with a `q` is tested here', () => {
  const searched = routes.filter(({ endpoint: { query } }) => 'q' in ((query as { properties?: object } | undefined)?.properties ?? {}))
  // `lists` leaves these out: the first two search like the audit log, the third like the list of a role's holders.
  const alike = ['GET /admin/audit-logs/counts', 'GET /admin/audit-logs/export', 'GET /access-reviews/:id/items']
  assert.deepEqual(searched.map(({ at }) => at).toSorted(), [...Object.keys(lists), ...alike].toSorted())
})

for (const [at, store] of Object.entries(lists))
  describe(at, () => {
    // In the ordinary suite, only one list tries every spelling, because all lists share its functions.
    const tried = at === 'GET /users' ? variants : variants.slice(0, scale(6, variants.length))
    const ids = new Map<string, number>()
    before(async () => {
      await seeded
      const texts = new Set(tried.map(([stored]) => stored))
      for (const [n, text] of [...texts].entries()) ids.set(text, (await store(text, n)).body.id)
    })

    for (const [stored, sought, isFound, what] of tried)
      test(`${what} (${sought} in ${stored})`, async () => {
        const id = ids.get(stored)!
        const kind = (['app', 'service', 'group'] as const).find((one) => at.includes(`${one}s`)) ?? 'role'
        const path = at.slice(4).replace(':id', String(about[kind]))
        // Request 50 people: tests of earlier lists made accounts with the same names, and this list has no second page.
        const most = at === 'GET /services/:id/people' ? '&limit=50' : ''
        const { status, body } = await org.admin.get(`${path}?q=${encodeURIComponent(sought)}${most}`)
        const rows = (Array.isArray(body) ? body : (body.items ?? body.entries)) as {
          id: number
          user?: { id: number }
          targetId?: number
          groupId?: number
          order?: { id: number }
        }[]
        const found = rows.some(
          ({ id: own, user, targetId, groupId, order }) => (targetId ?? user?.id ?? order?.id ?? own ?? groupId) === id,
        )
        assert.deepEqual([status, id > 0, found], [200, true, isFound])
      })
  })

test('names are sorted by the alphabet of the reader’s language', async () => {
  for (const name of ['b', 'ب', 'A', 'أ', 'C', 'ت']) await org.huda.post('/notes/labels', { name, color: 'blue' })
  const sortedIn = async (language: string) => {
    await org.huda.patch('/auth/me/language', { language })
    return (await org.huda.get('/notes/labels')).body.map(({ name }: { name: string }) => name).join(' ')
  }
  assert.deepEqual([await sortedIn('ar'), await sortedIn('en')], ['أ ب ت A b C', 'A b C أ ب ت'])
})

test('the wildcards of patterns are matched literally in notes', async () => {
  const texts = ['***=.*', '***:(?i)', 'a+b*c?', '\\d\\w\\1', '[x](y){2}', '^start$', '100%_|or', 'قهوة بالهيل', 'ab'.repeat(80)]
  for (const text of texts) await org.huda.post('/notes', { title: `before ${text} after` })
  const found = async (q: string) =>
    ((await org.huda.get(`/notes?q=${encodeURIComponent(q)}`)).body as { title: string }[]).map(({ title }) => title)
  for (const text of texts) {
    assert.deepEqual(await found(`ore ${text} aft`), [`before ${text} after`])
    assert.deepEqual(await found(`ore ${text}x aft`), [])
  }
})
