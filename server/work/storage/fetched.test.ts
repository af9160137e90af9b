/** The portal fetches pictures that administrators name by external URL, and pages then load them from the portal. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { makers } from '../../../test/makers.ts'
import { testPortal, until } from '../../../test/portal.ts'
import { uploads } from '../../../test/uploads.ts'
import { fieldError } from '../../platform/errors/field-errors.ts'
import { OutboundError } from '../../platform/outbound.ts'

const portal = testPortal()
const { newApp, newService } = makers(portal)
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
  // The hooks of a file start concurrently.
  await until('the portal is open', () => portal.instance)
  portal.instance.pictures.fetch = async ({ hostname, pathname }) => {
    const answer = hostname === 'pictures.example' && answers[pathname]
    if (answer) return { ...answer, headers: {} }
    throw new OutboundError(hostname, 'could not be asked')
  }
})

const owners: [what: string, path: () => Promise<string>][] = [
  ['an app', async () => `/apps/${(await newApp()).id}`],
  ['a service', async () => `/services/${(await newService()).id}`],
]
for (const [what, pathOf] of owners) {
  test(`the picture of ${what} at an https URL is fetched and stored`, async () => {
    const { status, body } = await portal.admin.patch(await pathOf(), { imageUrl: 'https://pictures.example/a.png' })
    assert.equal(status, 200)
    assert.match(body.imageUrl, /^\/objects\/uploads\/[0-9a-f-]{36}$/)
    const { headers, bytes } = await read(`/storage${body.imageUrl}`)
    assert.deepEqual([headers['content-type'], bytes], ['image/png', png])
  })

  test(`the picture of ${what} does not change if the URL has no usable picture`, async () => {
    const path = await pathOf()
    const before = await contents()
    for (const name of ['gone.png', 'page.png', 'large.png', 'silent.png']) {
      const { status, body } = await portal.admin.patch(path, { imageUrl: `https://pictures.example/${name}` })
      assert.deepEqual([status, body.details], [400, [fieldError('imageUrl', 'fetched', { bytes: MOST })]], name)
    }
    assert.deepEqual([(await portal.admin.get(path)).body.imageUrl, await contents()], [null, before])
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

test('only administrators can make the portal fetch a picture', async () => {
  const nora = await portal.person('nora')
  const before = await contents()
  for (const path of ['/apps', '/services'])
    assert.equal((await nora.post(path, { imageUrl: 'https://pictures.example/a.png' })).status, 403)
  assert.deepEqual(await contents(), before)
})

test('a picture that exceeds its administrator’s share is refused', async () => {
  const paths = await Promise.all(owners.map(([, pathOf]) => pathOf()))
  await portal.sql(`insert into object_shares (user_id, objects, bytes) select id, 10000, 0 from users where username = 'admin'
    on conflict (user_id) do update set objects = 10000`)
  const picture = { imageUrl: 'https://pictures.example/a.png' }
  const names = { nameAr: 'تطبيق', nameEn: 'App' }
  const answers = [
    ...(await Promise.all(paths.map((path) => portal.admin.patch(path, picture)))),
    await portal.admin.post('/apps', { ...names, slug: 'crowded', route: '/crowded', iconName: 'users', color: '#123456', ...picture }),
    await portal.admin.post('/services', { ...names, ...picture }),
  ]
  for (const { status, body } of answers) assert.deepEqual([status, body.code, body.quota], [409, 'quota_exceeded', 'objects'])
})
