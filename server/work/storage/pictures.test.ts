/** Pictures of people, apps and services are https URLs, or existing uploaded files that are pictures. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makers } from '../../../test/makers.ts'
import { testPortal } from '../../../test/portal.ts'
import { text, uploads } from '../../../test/uploads.ts'
import { fieldError } from '../../platform/errors/field-errors.ts'

const portal = testPortal()
const { newApp, newService } = makers(portal)
const { placeFor, stored } = uploads(portal)
const upload = (contentType: string) => stored(text(10), { name: 'file', contentType })

const owners: [what: string, path: () => Promise<string>, field: string][] = [
  ['a person', async () => '/auth/me/profile', 'avatarUrl'],
  ['an app', async () => `/apps/${(await newApp()).id}`, 'imageUrl'],
  ['a service', async () => `/services/${(await newService()).id}`, 'imageUrl'],
]
for (const [what, pathOf, field] of owners) {
  const refusedAs = async (path: string, value: string, rule: 'exists' | 'picture') => {
    const { status, body } = await portal.admin.patch(path, { [field]: value })
    assert.deepEqual([status, body.code, body.details], [400, 'validation_failed', [fieldError(field, rule)]], value)
  }

  test(`the picture of ${what} must be an uploaded file that exists`, async () => {
    const path = await pathOf()
    await refusedAs(path, '/objects/uploads/0b8f7f1e-5d0c-4a8e-9f0a-1c2d3e4f5a6b', 'exists')
    await refusedAs(path, '/objects/uploads/0b8f', 'exists')
    await refusedAs(path, '/objects/archives/0b8f7f1e-5d0c-4a8e-9f0a-1c2d3e4f5a6b', 'exists')
    await refusedAs(path, (await placeFor(10, { contentType: 'image/png' })).objectPath, 'exists')
  })

  test(`the picture of ${what} must be a picture without scripts`, async () => {
    const path = await pathOf()
    for (const type of ['text/html', 'image/svg+xml', 'image/pngx', 'application/pdf'])
      await refusedAs(path, (await upload(type)).objectPath, 'picture')
    for (const type of ['image/png', 'IMAGE/JPEG', 'image/webp; q=1']) {
      const { objectPath } = await upload(type)
      for (const _ of ['first', 'again']) {
        const { status, body } = await portal.admin.patch(path, { [field]: objectPath })
        assert.deepEqual([status, body[field]], [200, objectPath], type)
      }
    }
  })

  test(`an empty text clears the picture of ${what}`, async () => {
    const path = await pathOf()
    const { objectPath } = await upload('image/png')
    assert.equal((await portal.admin.patch(path, { [field]: objectPath })).status, 200)
    assert.deepEqual((await portal.admin.patch(path, { [field]: '' })).body[field], null)
  })
}

test('an empty text clears the URL of an app, unless it opens outside the portal', async () => {
  const { id } = await newApp({ externalUrl: 'https://example.org' })
  assert.equal((await portal.admin.patch(`/apps/${id}`, { externalUrl: '' })).body.externalUrl, null)
  assert.equal((await portal.admin.patch(`/apps/${id}`, { externalUrl: 'https://example.org', openMode: 'external_tab' })).status, 200)
  const { status, body } = await portal.admin.patch(`/apps/${id}`, { externalUrl: '' })
  assert.deepEqual([status, body.details], [400, [fieldError('externalUrl', 'required')]])
})
