import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkNewPassword, containsName, isCommon } from './password-policy.ts'

for (const common of [
  'password',
  'PassWord',
  'unbelievable',
  'passwordpassword',
  '123456123456',
  'password12345',
  '!!Password!!',
  '١٢٣٤٥٦٧٨٩',
  'حشسسصخقي',
  'حشسسصخقي١٢٣٤',
  'ضصثقفغ',
  'لاقهلاف',
  'لاقهلافلاقهلاف',
])
  test(`${common} is a common password`, async () => assert.equal(await isCommon(common), true))

for (const uncommon of ['correct horse battery', 'سحابة فوق الجبل البعيد', 'xk72-qqp3-lomw', 'password for the fourth floor', '"],["'])
  test(`${uncommon} is not common`, async () => assert.equal(await isCommon(uncommon), false))

const names = ['sara.ahmed', 'sara@example.org', 'سارة أحمد', null, undefined, 'Bawaba']
for (const [password, isOwn] of [
  ['my sara.ahmed password', true],
  ['SARA@EXAMPLE.ORG!', true],
  ['أنا سارة أحمد والسلام', true],
  ['the bawaba of gates', true],
  ['saffron and cardamom', false],
] as const)
  test(`${password} ${isOwn ? 'contains' : 'does not contain'} a name`, () => assert.equal(containsName(password, names), isOwn))

const refusal = async (password: string, passwordPolicy: 'length' | 'strict') =>
  checkNewPassword(password, { passwordMinLength: 12, passwordPolicy }, async () => names).then(
    () => null,
    ({ extras }) => extras.body.details[0].rule,
  )

test('the refusal of a password names the rule that it breaks', async () => {
  assert.equal(await refusal('short', 'strict'), 'minLength')
  assert.equal(await refusal('sara.ahmed 1984', 'strict'), 'ownName')
  assert.equal(await refusal('passwordpassword', 'strict'), 'commonPassword')
  assert.equal(await refusal('correct horse battery', 'strict'), null)
})

test('with the policy `length`, only the length counts, and no names are read', async () => {
  assert.equal(await refusal('short', 'length'), 'minLength')
  const unread = () => Promise.reject(new Error('read'))
  await checkNewPassword('passwordpassword', { passwordMinLength: 12, passwordPolicy: 'length' }, unread)
})
