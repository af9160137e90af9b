/** Passkeys of a real browser with virtual authenticators. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { freePort } from '../../../test/free-port.ts'
import { type Client, PASSWORD, testPortal } from '../../../test/portal.ts'
import { browser, journeys } from '../../testing/browser.ts'

// Browsers make no passkeys for IP addresses, so the portal needs a host name, and a known port.
const PORT = String(await freePort())
const base = `http://localhost:${PORT}`
const portal = testPortal({ PORT, PUBLIC_URL: base })

/** A device: a window on an empty page of the portal, with its own authenticator. */
async function deviceOf({ visit }: ReturnType<typeof browser>) {
  const { context, page } = await visit()
  await context.route(`${base}/empty`, (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>Empty</title>' }))
  await page.goto('/empty')
  const devtools = await context.newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    page,
    verifies: (isUserVerified: boolean) => devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
    signInByPassword: ({ username }: Client) => send(page, 'POST', '/auth/login', { username, password: PASSWORD }),
  }
}

interface Said {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests assert on what comes
  body: any
}
const send = (page: Page, method: string, path: string, body?: object): Promise<Said> =>
  page.evaluate(
    async ([method, path, body]) => {
      const response = await fetch(`/api${path}`, { method, ...(body && { body, headers: { 'content-type': 'application/json' } }) })
      const text = await response.text()
      return { status: response.status, body: text ? JSON.parse(text) : null }
    },
    [method, path, body ? JSON.stringify(body) : ''] as const,
  )

/** Makes a passkey in the browser and saves it; `more` changes the portal's options. Returns the name of the error if making it fails. */
async function enrol(page: Page, name: string, more: object = {}): Promise<Said | string> {
  const { status, body } = await send(page, 'POST', '/auth/me/passkeys/options')
  if (status !== 200) return { status, body }
  const attestation = await page.evaluate(
    async (options) => {
      const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
      return navigator.credentials.create({ publicKey }).then(
        (made) => (made as PublicKeyCredential).toJSON() as object,
        (error: Error) => error.name,
      )
    },
    { ...body.options, ...more },
  )
  return typeof attestation === 'string' ? attestation : send(page, 'POST', '/auth/me/passkeys', { name, attestation })
}

interface Asking {
  purpose?: string
  mediation?: 'optional' | 'conditional'
  userVerification?: 'discouraged'
}
/** Makes the browser sign for a purpose. Returns the name of the error if it refuses. */
async function assertion(page: Page, { purpose = 'sign_in', mediation = 'optional', ...more }: Asking = {}) {
  const { body } = await send(page, 'POST', '/auth/passkeys/options', { purpose })
  return page.evaluate(
    async ([options, mediation]) => {
      const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options)
      return navigator.credentials.get({ publicKey, mediation }).then(
        (made) => (made as PublicKeyCredential).toJSON() as object,
        (error: Error) => error.name,
      )
    },
    [{ ...body.options, ...more }, mediation] as const,
  )
}
const signIn = async (page: Page, how: Asking = {}) =>
  send(page, 'POST', '/auth/passkeys/sign-in', { assertion: await assertion(page, how) })

journeys(() => {
  const devices = browser({ base })

  test('a passkey that was made and named is offered by the browser at the next sign-in', async () => {
    const huda = await portal.person('huda')
    const { page, signInByPassword } = await deviceOf(devices)
    await signInByPassword(huda)
    const made = (await enrol(page, 'My laptop')) as Said
    assert.deepEqual([made.status, made.body.name, made.body.recoveryCodes.length], [201, 'My laptop', 10])
    assert.deepEqual(made.body.transports, ['internal'])
    assert.equal(await enrol(page, 'Twice'), 'InvalidStateError')
    await send(page, 'POST', '/auth/logout')

    const signedIn = await signIn(page, { mediation: 'conditional' })
    assert.deepEqual([signedIn.status, signedIn.body.id], [200, huda.id])
    const { body } = await send(page, 'GET', '/auth/me/security')
    assert.deepEqual([body.level, body.passkeyCount, typeof body.confirmedUntil], [2, 1, 'string'])
    assert.equal((await send(page, 'POST', '/auth/me/confirm', { assertion: await assertion(page, { purpose: 'confirm' }) })).status, 200)
  })

  test('a second device adds its passkey after a recovery code, and each passkey signs in until it is removed', async () => {
    const one = await portal.person('wanderer')
    const [first, second] = [await deviceOf(devices), await deviceOf(devices)]
    await first.signInByPassword(one)
    const { recoveryCodes } = ((await enrol(first.page, 'First')) as Said).body
    await second.signInByPassword(one)
    assert.equal(((await enrol(second.page, 'Second')) as Said).body.code, 'confirmation_required')
    assert.equal((await send(second.page, 'POST', '/auth/me/confirm', { recoveryCode: recoveryCodes[0] })).status, 200)
    const { id } = ((await enrol(second.page, 'Second')) as Said).body
    for (const { page } of [first, second]) assert.equal((await signIn(page)).status, 200)

    assert.equal((await send(first.page, 'DELETE', `/auth/me/passkeys/${id}`)).status, 204)
    assert.equal((await signIn(second.page)).body.code, 'invalid_factor')
    await portal.meddle('user', one.id, `update users set password_hash = null where id = ${one.id}`)
    const [last] = (await send(first.page, 'GET', '/auth/me/passkeys')).body
    assert.equal((await send(first.page, 'DELETE', `/auth/me/passkeys/${last.id}`)).body.code, 'last_sign_in_method')
  })

  test('an authenticator that does not verify its person can neither make a passkey nor sign in', async () => {
    const one = await portal.person('unverified')
    const { page, verifies, signInByPassword } = await deviceOf(devices)
    await signInByPassword(one)
    await enrol(page, 'Verified')
    await verifies(false)
    assert.equal(await assertion(page), 'NotAllowedError')
    const careless = await signIn(page, { userVerification: 'discouraged' })
    assert.deepEqual([careless.status, careless.body.code], [401, 'invalid_factor'])
    assert.equal(await enrol(page, 'Careless', { excludeCredentials: [] }), 'NotAllowedError')
  })
})
