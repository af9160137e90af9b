/** Choosing an icon, and cropping and storing a picture. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCanvas } from '@napi-rs/canvas'
import { browser, findings, journeys, languages } from '../../testing/browser.ts'
import { nowhere, staged } from '../../testing/parts.ts'
import { both as cropper } from '../forms/cropper-texts.ts'
import { both as picker } from '../forms/icon-picker-texts.ts'
import { both as uploads } from '../forms/upload-texts.ts'

const PICTURE = createCanvas(60, 40).toBuffer('image/png')

journeys(() => {
  const { visit } = browser(nowhere)
  const open = staged(visit)

  for (const language of languages) {
    const onward = language === 'ar' ? 'ArrowLeft' : 'ArrowRight'

    test(`an icon is found by a word in either language and chosen with keys (${language})`, async () => {
      const t = picker[language]
      const { page, calls } = await open(language)
      await page.evaluate(() => {
        const { h, render, signal, IconPicker } = window.stage
        const value = signal('no-such-icon')
        const change = (name: string) => {
          value.value = name
          window.calls.push(name)
        }
        render(
          h(() => h(IconPicker, { label: 'Icon', value: value.value, change }), null),
          document.getElementById('root')!,
        )
      })
      assert.deepEqual(await findings(page), [])
      // An unknown icon name shows as the default icon, a grid.
      assert.equal(await page.locator('[role=radio][aria-checked=true]').getAttribute('data-icon'), 'layout-grid')
      const find = page.getByRole('searchbox', { name: t.find })
      for (const word of ['حضور', 'attendance']) {
        await find.fill(word)
        await page.locator('[data-icon=fingerprint]').waitFor()
        assert.equal(await page.getByRole('radio').count(), 2)
      }
      await page.keyboard.press('Tab')
      await page.keyboard.press(onward)
      await page.waitForFunction(() => (document.activeElement as HTMLElement).dataset['icon'] === 'fingerprint')
      await page.keyboard.press('Enter')
      assert.deepEqual(await calls(), ['fingerprint'])
      await find.fill('xyz')
      await page.getByText(t.nothing).waitFor()
      assert.deepEqual(await findings(page), [])
    })

    test(`a picture is cropped and stored; a stopped or refused upload is reported (${language})`, async () => {
      const t = uploads[language]
      const { page, calls } = await open(language)
      const stored: string[] = []
      await page.route('**/api/storage/uploads/request-url', (route) => {
        stored.push(route.request().postData()!)
        return route.fulfill({
          json: { uploadURL: `${nowhere.base}/api/storage/put?${stored.length}`, objectPath: '/objects/uploads/one' },
        })
      })
      await page.route('**/api/storage/put?*', (route) => {
        const body = { code: 'quota_exceeded', messageAr: 'no room', messageEn: 'no room' }
        return stored.length === 2 ? route.fulfill({ status: 409, json: body }) : route.fulfill({ status: 204 })
      })
      await page.evaluate(() => {
        const { h, render, PictureField } = window.stage
        const own = { label: 'Picture', name: 'app', value: null, change: (path: string | null) => window.calls.push(path) }
        render(h(PictureField, own), document.getElementById('root')!)
      })
      const choose = async () => {
        await page.locator('input[type=file]').setInputFiles({ name: 'app.png', mimeType: 'image/png', buffer: PICTURE })
        await page.getByRole('button', { name: cropper[language].usePicture }).click()
      }
      await choose()
      await page.waitForFunction(() => window.calls.length === 1)
      assert.deepEqual(await calls(), ['/objects/uploads/one'])
      assert.equal(JSON.parse(stored[0]!).contentType, 'image/webp')
      await choose()
      await page.getByRole('alert').filter({ hasText: 'no room' }).waitFor()
      assert.deepEqual(await findings(page), [])
      await page.locator('input[type=file]').setInputFiles({ name: 'app.png', mimeType: 'image/png', buffer: Buffer.from('no picture') })
      await page.getByText(t.noPicture).waitFor()
      assert.equal((await calls()).length, 1)
    })
  }
})
