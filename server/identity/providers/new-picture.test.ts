/** The picture that a provider claims for somebody who gets an account. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lyingPortal } from '../../../test/oidc/lying-portal.ts'
import { OutboundError } from '../../platform/outbound.ts'

const { portal, signIn, change } = lyingPortal({ createPeople: true })
const png = Buffer.from('\x89PNG\r\n\x1a\n and more', 'latin1')
const asked: string[] = []
const serve = () => {
  portal.instance.pictures.fetch = async ({ hostname, pathname }) => {
    asked.push(pathname)
    if (hostname === 'pictures.example' && pathname === '/a.png') return { status: 200, bytes: png, headers: {} }
    throw new OutboundError(hostname, 'could not be asked')
  }
}
const pictureOf = async (claims: Record<string, unknown>) => {
  const { browser, path } = await signIn(claims)
  assert.equal(path, '/')
  return (await browser.me()).body.avatarUrl
}

test('the picture of a new person is fetched once, and stored in the portal', async () => {
  serve()
  const person = { sub: 'sara', email: 'sara@example.org' }
  const path = await pictureOf({ ...person, picture: 'https://pictures.example/a.png' })
  assert.match(path, /^\/objects\/uploads\//)
  const { status } = await portal.admin.get(`/storage${path}`)
  assert.equal(status, 200)
  assert.equal(await pictureOf({ ...person, picture: 'https://pictures.example/b.png' }), path)
  assert.deepEqual(asked, ['/a.png'])
})

test('a picture that is malformed, of another host or gone keeps nobody out', async () => {
  serve()
  for (const [n, picture] of [
    'http://pictures.example/a.png',
    'https://',
    7,
    { a: 1 },
    'https://127.0.0.1/a.png',
    'https://pictures.example/gone.png',
  ].entries())
    assert.equal(await pictureOf({ sub: `one ${n}`, email: `one-${n}@example.org`, picture }), null, JSON.stringify(picture))
})

test('no picture is fetched for somebody who gets no account', async () => {
  serve()
  await change({ createPeople: false })
  asked.length = 0
  const { path } = await signIn({ sub: 'stranger', email: 'stranger@example.org', picture: 'https://pictures.example/a.png' })
  assert.deepEqual([path, asked], ['/sign-in?failed=not_allowed', []])
  await change({ createPeople: true })
})

test('a server that does not answer for a picture keeps nobody waiting', async () => {
  portal.instance.pictures.fetch = () => new Promise<never>(() => {})
  assert.equal(await pictureOf({ sub: 'silent', email: 'silent@example.org', picture: 'https://pictures.example/a.png' }), null)
})
