/** Signing in with a real provider. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { openBrowser } from '../../../test/oidc/browser.ts'
import { addProvider, openProvider, type TestProvider } from '../../../test/oidc/provider.ts'
import { testPortal } from '../../../test/portal.ts'

const portal = testPortal({ SSO_INTERNAL_HOSTS: '127.0.0.1', SECRETS_KEY: 'k'.repeat(43) })
let provider: TestProvider
before(async () => {
  await portal.ready
  provider = await openProvider({ portalUrl: portal.instance.config.publicUrl, base: portal.base })
  await addProvider(portal, provider)
})
const signIn = async (account: string, claims: Record<string, unknown>) => {
  provider.accounts.set(account, claims)
  provider.as = account
  const browser = openBrowser(portal)
  return { browser, path: await browser.signIn() }
}

test('a new person gets an account with the data in their claims', async () => {
  const { browser, path } = await signIn('sara', {
    email: 'Sara@corp.example',
    preferred_username: 'sara@corp.example',
    name: 'Sara Ahmed',
    locale: 'en-GB',
  })
  assert.equal(path, '/')
  const { status, body } = await browser.me()
  assert.deepEqual(
    [status, body.username, body.email, body.displayNameEn, body.displayNameAr, body.preferredLanguage, body.roles],
    [200, 'sara', 'Sara@corp.example', 'Sara Ahmed', null, 'en', ['user']],
  )
})

test('a new person gets the language that their claims name, whichever way its tag is written', async () => {
  for (const [locale, expected] of [
    ['en_US', 'en'],
    ['ar_SA', 'ar'],
    ['arz', 'ar'],
    ['fr-CA', 'en'],
    ['English', 'ar'],
    [undefined, 'ar'],
  ] as const) {
    const { browser } = await signIn(`${locale}`, { email: `${locale}@corp.example`, locale })
    assert.equal((await browser.me()).body.preferredLanguage, expected, locale)
  }
})
