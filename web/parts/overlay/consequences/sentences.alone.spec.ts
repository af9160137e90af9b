import '../../../testing/outside.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { language } from '../../../platform/language.ts'
import { outcomeOf, sentencesOf } from './sentences.ts'
import type { Gain, Impact } from './shapes.ts'
import { both, t } from './texts.ts'

const nothing: Impact = {
  loses: [],
  losesCount: 0,
  gains: [],
  gainsCount: 0,
  keeps: [],
  keepsCount: 0,
  ordersReturned: [],
  ordersReturnedCount: 0,
  sessionsEnded: 0,
  becomesAdmin: [],
  becomesAdminCount: 0,
  lastAdmin: false,
  self: { losesAdmin: false },
  unaffectedCount: 0,
  noChange: false,
}
const names: Record<string, [ar: string, en: string]> = {
  majed: ['ماجد', 'Majed'],
  hassan: ['حسن', 'Hassan'],
  rania: ['رانيا', 'Rania'],
  lina: ['لينا', 'Lina'],
  accounting: ['المحاسبة', 'Accounting'],
  purchasing: ['المشتريات', 'Purchasing'],
  budget: ['الميزانية', 'Budget'],
  payslips: ['كشوف الرواتب', 'Payslips'],
}
const idOf = (key: string) => Object.keys(names).indexOf(key) + 1
const person = (key: string, index = idOf(key)) => {
  const [displayNameAr, displayNameEn] = names[key] ?? [key, key]
  return { id: index, username: key, displayNameAr, displayNameEn, avatarUrl: null }
}
const app = (key: string) => ({ id: idOf(key), nameAr: names[key]![0], nameEn: names[key]![1] })
const gain = (who: string, apps: string[], more: Partial<Gain> = {}): Gain => ({
  user: person(who),
  roles: [],
  rolesCount: 0,
  apps: apps.map(app),
  appsCount: apps.length,
  keeps: [],
  keepsCount: 0,
  ...more,
})
const plain = (text: string) => text.replace(/[\u2068\u2069]/g, '')
function said(impact: Partial<Impact>, of: 'ar' | 'en') {
  language.value = of
  return sentencesOf({ ...nothing, ...impact }).map(({ text }) => plain(text))
}
const both2 = (impact: Partial<Impact>) => [said(impact, 'ar')[0], said(impact, 'en')[0]]

test('people with the same losses share a sentence', () => {
  const impact = {
    loses: [
      gain('majed', ['accounting', 'purchasing', 'budget']),
      gain('rania', ['purchasing']),
      gain('hassan', ['accounting', 'purchasing', 'budget']),
    ],
    losesCount: 3,
  }
  assert.deepEqual(said(impact, 'en'), ['Majed and Hassan lose Accounting, Purchasing and Budget.', 'Rania loses Purchasing.'])
  assert.deepEqual(said(impact, 'ar'), ['تُحجب عن ماجد وحسن تطبيقات المحاسبة والمشتريات والميزانية.', 'يُحجب عن رانيا تطبيق المشتريات.'])
})

test('the verb agrees with one app, two, and more', () => {
  const one = (apps: string[]) => ({ gains: [gain('lina', apps)], gainsCount: 1 })
  assert.deepEqual(
    [['budget'], ['budget', 'accounting'], ['budget', 'accounting', 'payslips']].map((apps) => said(one(apps), 'ar')[0]),
    ['يُفتح للينا تطبيق الميزانية.', 'يُفتح للينا تطبيقا الميزانية والمحاسبة.', 'تُفتح للينا تطبيقات الميزانية والمحاسبة وكشوف الرواتب.'].map(
      (text) => text.replace('للينا', 'لـلينا'),
    ),
  )
  assert.equal(said(one(['budget', 'accounting']), 'en')[0], 'Lina gains Budget and Accounting.')
})

test('four or more people are counted, in the right plural form', () => {
  const many = (count: number) => ({
    loses: Array.from({ length: count }, (_, index) => ({ ...gain('majed', ['budget']), user: person(`u${index}`, 100 + index) })),
    losesCount: count,
  })
  assert.deepEqual(both2(many(4)), ['يُحجب عن 4 أشخاص تطبيق الميزانية.', '4 people lose Budget.'])
  assert.deepEqual(both2(many(11)), ['يُحجب عن 11 شخصًا تطبيق الميزانية.', '11 people lose Budget.'])
  assert.deepEqual(both2(many(50)), ['يُحجب عن 50 شخصًا تطبيق الميزانية.', '50 people lose Budget.'])
  // A truncated list does not show whether all people lose the same.
  assert.deepEqual(both2({ ...many(50), losesCount: 100 }), [
    'تُحجب عن 100 شخص، منهم u0 وu1 وu2، تطبيقات أو تُسحب أدوار.',
    '100 people, among them u0, u1 and u2, lose apps or roles.',
  ])
})

test('with more than four different losses, three have their own sentences and the rest share one', () => {
  const sets = [['budget'], ['payslips'], ['accounting'], ['purchasing'], ['budget', 'payslips']]
  const loses = sets.map((apps, index) => ({ ...gain('majed', apps), user: person(`u${index}`, 100 + index) }))
  assert.equal(said({ loses, losesCount: 5 }, 'en').length, 3 + 1 + 0)
  assert.equal(said({ loses, losesCount: 5 }, 'en')[3], '2 others lose apps or roles.')
  assert.equal(said({ loses, losesCount: 5 }, 'ar')[3], 'تُحجب عن شخصين آخرين تطبيقات أو تُسحب أدوار.')
})

test('a role is named by its display name, and of more than four apps, three are named and the rest counted', () => {
  const role = { id: 1, name: 'accountant', descriptionAr: 'محاسب\nللمالية', descriptionEn: null }
  assert.deepEqual(both2({ gains: [gain('lina', [], { roles: [role], rolesCount: 1 })], gainsCount: 1 }), [
    'يصير لـلينا دور محاسب.',
    'Lina gains the role محاسب.',
  ])
  const six = gain('lina', ['budget', 'accounting', 'payslips', 'purchasing'], { appsCount: 6 })
  assert.deepEqual(both2({ gains: [six], gainsCount: 1 }), [
    'تُفتح لـلينا تطبيقات الميزانية والمحاسبة وكشوف الرواتب و3 غيرها.',
    'Lina gains Budget, Accounting, Payslips and 3 more.',
  ])
})

test('a sentence says which apps somebody keeps and through what, and many people are counted', () => {
  const keeps = [{ app: app('payslips'), via: { via: 'group' as const, groupName: 'hr' }, role: null }]
  const rania = gain('rania', ['purchasing'], { keeps, keepsCount: 1 })
  assert.equal(said({ loses: [rania], losesCount: 1 }, 'en')[1], 'Rania keeps Payslips through the group hr.')
  assert.equal(said({ loses: [rania], losesCount: 1 }, 'ar')[1], 'يبقى لـرانيا تطبيق كشوف الرواتب عن طريق مجموعة «hr».')
  assert.deepEqual(both2({ keeps: [{ ...rania, apps: [], appsCount: 0 }], keepsCount: 12 }), [
    'تبقى لـ12 شخصًا تطبيقات عن طرق أخرى.',
    '12 people keep apps in other ways.',
  ])
  const role = { id: 1, name: 'accountant', descriptionAr: 'محاسب', descriptionEn: 'Accountant' }
  const direct = [{ app: app('payslips'), via: { via: 'permission' as const, roleId: 1, roleName: 'accountant' }, role }]
  assert.equal(said({ loses: [{ ...rania, keeps: direct }], losesCount: 1 }, 'en')[1], 'Rania keeps Payslips through the role Accountant.')
})

test("warnings begin with the reader's own rights, then new administrators, orders and sessions", () => {
  const order = { orderId: 1, service: { nameAr: 'ضيافة اجتماع', nameEn: 'Meeting hospitality' }, user: person('majed') }
  const impact = {
    self: { losesAdmin: true },
    becomesAdmin: [person('lina')],
    becomesAdminCount: 1,
    ordersReturned: [order],
    ordersReturnedCount: 1,
    sessionsEnded: 2,
  }
  assert.deepEqual(said(impact, 'ar'), [
    'يزول حقك أنت في الإدارة، وتُغلق هذه الصفحة بعد الحفظ.',
    'تصير لـلينا إدارة البوابة: رؤية كل تطبيق، وتغيير كل حق.',
    'يعود إلى الانتظار طلب عند ماجد: «ضيافة اجتماع».',
    'تنتهي جلستان مفتوحتان.',
    'لا يفقد أحد شيئًا، ولا يكسب.',
  ])
  assert.deepEqual(said({ ...impact, ordersReturnedCount: 3 }, 'en').slice(0, 4), [
    'You lose administration, and this page closes after saving.',
    'Lina can administer the portal: see every app and change every right.',
    '3 orders go back to the queue.',
    '2 open sessions end.',
  ])
})

test('sentences say that nobody loses anything, and how many people are unaffected', () => {
  assert.deepEqual(said({ unaffectedCount: 209 }, 'ar'), ['لا يفقد أحد شيئًا، ولا يكسب.', 'لا يتغيّر شيء عند 209 آخرين.'])
  assert.deepEqual(said({ gains: [gain('lina', ['budget'])], gainsCount: 1, unaffectedCount: 1 }, 'en'), [
    'Lina gains Budget.',
    'Nobody loses anything.',
    'Nothing changes for 1 other person.',
  ])
})

test('the button states the outcome, in every plural form', () => {
  const of = (losesCount: number, gainsCount: number) => outcomeOf({ ...nothing, losesCount, gainsCount }, t.save)
  language.value = 'ar'
  assert.deepEqual(
    [of(0, 0), of(1, 0), of(2, 0), of(3, 2), of(11, 1), of(100, 0)],
    ['احفظ', 'احفظ: واحد يفقد', 'احفظ: 2 يفقدان', 'احفظ: 3 يفقدون، 2 يكسبان', 'احفظ: 11 يفقدون، واحد يكسب', 'احفظ: 100 يفقدون'],
  )
  language.value = 'en'
  assert.deepEqual(
    [of(0, 0), of(1, 0), of(3, 2), of(0, 1)],
    ['Save', 'Save: 1 loses access', 'Save: 3 lose access, 2 gain access', 'Save: 1 gains access'],
  )
})

test('every counted text has its own form for each plural category', () => {
  const { people, otherPeople, orders, sessions, unaffected, discard } = both.ar
  language.value = 'ar'
  for (const text of [people, otherPeople, orders, sessions, unaffected, discard]) {
    const forms = [0, 1, 2, 3, 11, 100].map((count) => text(count).replace(/\d+/, '#'))
    assert.ok(new Set(forms).size >= 4, forms.join(' | '))
    assert.ok(!/[12](?!\d)/.test(text(1) + text(2)), '1 and 2 are written as words')
  }
})
