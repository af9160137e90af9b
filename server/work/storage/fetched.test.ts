/** The portal fetches pictures that are named by external URL, and pages then load them from the portal. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { makers } from '../../../test/makers.ts'
import { type Client, testPortal, until } from '../../../test/portal.ts'
import { uploads } from '../../../test/uploads.ts'
import { fieldError } from '../../platform/errors/field-errors.ts'
import { OutboundError } from '../../platform/outbound.ts'

const portal = testPortal({ RATE_LIMITS: 'on' })
const { newApp, newPerson, newService } = makers(portal)
const { read, contents } = uploads(portal)
const MOST = 5 * 1024 * 1024
const png = Buffer.from('\x89PNG\r\n\x1a\n and more', 'latin1')
const answers: Record<string, { status: number; bytes: Buffer }> = {
  '/a.png': { status: 200, bytes: png },
  '/gone.png': { status: 404, bytes: png },
  '/page.png': { status: 200, bytes: Buffer.from('<svg onload=alert(1)>') },
  '/large.png': { status: 200, bytes: Buffer.concat([png, Buffer.alloc(MOST)]) },
}
before(async () => {
  // The hooks of a file run concurrently, so the portal may not be open yet.
  await until('the portal is open', () => portal.instance)
  portal.instance.pictures.fetch = async ({ hostname, pathname }) => {
    const answer = hostname === 'pictures.example' && answers[pathname]
    if (answer) return { ...answer, headers: {} }
    throw new OutboundError(hostname, 'could not be asked')
  }
})

interface Owner {
  who: Client
  /** The path of the call that changes the picture, and the path of the call that shows it. */
  path: string
  shownAt: string
  field: 'imageUrl' | 'avatarUrl'
}
const ofRecord = (path: string): Owner => ({ who: portal.admin, path, shownAt: path, field: 'imageUrl' })
const owners: [what: string, make: () => Promise<Owner>][] = [
  ['an app', async () => ofRecord(`/apps/${(await newApp()).id}`)],
  ['a service', async () => ofRecord(`/services/${(await newService()).id}`)],
  ['a person', async () => ({ who: await newPerson(), path: '/auth/me/profile', shownAt: '/auth/me', field: 'avatarUrl' })],
]
for (const [what, make] of owners) {
  test(`the picture of ${what} at an https URL is fetched and stored`, async () => {
    const { who, path, field } = await make()
    const { status, body } = await who.patch(path, { [field]: 'https://pictures.example/a.png' })
    assert.equal(status, 200)
    assert.match(body[field], /^\/objects\/uploads\/[0-9a-f-]{36}$/)
    const { headers, bytes } = await read(`/storage${body[field]}`)
    assert.deepEqual([headers['content-type'], bytes], ['image/png', png])
  })

  test(`the picture of ${what} does not change if the URL has no usable picture`, async () => {
    const { who, path, shownAt, field } = await make()
    const before = await contents()
    for (const name of ['gone.png', 'page.png', 'large.png', 'silent.png']) {
      const { status, body } = await who.patch(path, { [field]: `https://pictures.example/${name}` })
      assert.deepEqual([status, body.details], [400, [fieldError(field, 'fetched', { bytes: MOST })]], name)
    }
    assert.deepEqual([(await who.get(shownAt)).body[field], await contents()], [null, before])
  })
}

test('an app and a service can be created with an external picture', async () => {
  const imageUrl = 'https://pictures.example/a.png'
  for (const [path, { id }] of [
    ['apps', await newApp({ imageUrl })],
    ['services', await newService({ imageUrl })],
  ] as const)
    assert.match((await portal.admin.get(`/${path}/${id}`)).body.imageUrl, /^\/objects\//)
})

test('a person can make the portal fetch their picture a hundred times an hour, and change their profile as often as they like', async () => {
  const person = await newPerson()
  const fetching = () => person.patch('/auth/me/profile', { avatarUrl: 'https://pictures.example/gone.png' })
  for (let n = 0; n < 100; n++) assert.equal((await fetching()).status, 400)
  const { status, body } = await fetching()
  assert.deepEqual([status, body.code], [429, 'rate_limited'])
  assert.equal((await person.patch('/auth/me/profile', { displayNameEn: 'Nora', avatarUrl: null })).status, 200)
})

test('only administrators can make the portal fetch the picture of an app or a service', async () => {
  const nora = await portal.person('nora')
  const before = await contents()
  for (const path of ['/apps', '/services'])
    assert.equal((await nora.post(path, { imageUrl: 'https://pictures.example/a.png' })).status, 403)
  assert.deepEqual(await contents(), before)
})

test('no picture is fetched for a record that does not exist, or that somebody else has changed', async () => {
  const before = await contents()
  for (const [what, { id }] of [
    ['apps', await newApp()],
    ['services', await newService()],
  ] as const)
    for (const name of ['a.png', 'silent.png']) {
      const picture = { imageUrl: `https://pictures.example/${name}` }
      assert.equal((await portal.admin.patch(`/${what}/2147483647`, picture)).status, 404)
      const { status, body } = await portal.admin.send('PATCH', `/${what}/${id}`, picture, { 'if-match': '"former"' })
      assert.deepEqual([status, body.code, body.current.imageUrl], [412, 'changed_meanwhile', null])
    }
  assert.deepEqual(await contents(), before)
})

test('a picture that exceeds the share of its owner is refused', async () => {
  const made = await Promise.all(owners.map(([, make]) => make()))
  await portal.sql(`insert into object_shares (user_id, objects, bytes) select id, 10000, 0 from users
    on conflict (user_id) do update set objects = 10000`)
  const before = await contents()
  const picture = { imageUrl: 'https://pictures.example/a.png' }
  const names = { nameAr: 'تطبيق', nameEn: 'App' }
  const answers = [
    ...(await Promise.all(made.map(({ who, path, field }) => who.patch(path, { [field]: picture.imageUrl })))),
    await portal.admin.post('/apps', { ...names, slug: 'crowded', route: '/crowded', iconName: 'users', color: '#123456', ...picture }),
    await portal.admin.post('/services', { ...names, ...picture }),
  ]
  for (const { status, body } of answers) assert.deepEqual([status, body.code, body.quota], [409, 'quota_exceeded', 'objects'])
  assert.deepEqual(await contents(), before)
})
