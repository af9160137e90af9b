/** The sounds of notifications: chosen in the account, played in one tab, and silenced by the person. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BrowserContext, Page } from 'playwright-core'
import { until } from '../../../test/client.ts'
import { browser, findings, journeys, pairs, portalWithPages } from '../../testing/browser.ts'
import { both } from './texts.ts'

const portal = portalWithPages()

/** Records the names of the sounds that the tabs of a window play. */
async function listenTo(context: BrowserContext) {
  const played: string[] = []
  await context.exposeBinding('played', (_, name: string) => played.push(name))
  await context.addInitScript(() => {
    const names = new WeakMap<object, string>()
    const fetched = window.fetch
    window.fetch = async (...asked) => {
      const answer = await fetched(...asked)
      const [, name] = /\/(\w+)-[^/]*\.mp3$/.exec(answer.url) ?? []
      if (!name) return answer
      const bytes = await answer.arrayBuffer()
      names.set(bytes, name)
      return { arrayBuffer: async () => bytes } as Response
    }
    const { decodeAudioData } = BaseAudioContext.prototype
    BaseAudioContext.prototype.decodeAudioData = async function (bytes: ArrayBuffer) {
      const name = names.get(bytes)!
      const buffer = await decodeAudioData.call(this, bytes)
      names.set(buffer, name)
      return buffer
    }
    const { start } = AudioBufferSourceNode.prototype
    AudioBufferSourceNode.prototype.start = function () {
      ;(window as unknown as { played(name: string): void }).played(names.get(this.buffer!)!)
      start.call(this)
    }
  })
  return played
}

journeys(() => {
  const { visitAs } = browser(portal)

  for (const { language, size } of pairs) {
    const t = both[language]
    const person = (name: string) => `${name}-${language}-${size}`

    test(`every sound can be previewed, and the choice is saved (${language}, ${size})`, async () => {
      const someone = await portal.person(person('chooser'))
      const { page, context } = await visitAs(person('chooser'), { language, size })
      const played = await listenTo(context)
      await page.goto('/account')
      const notes = page.getByRole('group', { name: t.kinds.note })
      await notes.getByRole('button', { name: t.preview }).click()
      await until('the preview has played', async () => played.length === 1)
      const names = await notes.locator('option').evaluateAll((all) => all.map((one) => (one as HTMLOptionElement).value))
      for (const name of names.filter((one) => one !== played[0])) {
        await notes.getByRole('combobox').selectOption(name)
        await until(`${name} has played`, async () => played.at(-1) === name)
      }
      assert.equal(new Set(played).size, 8)
      await notes.getByRole('switch', { name: t.vibration }).click()
      await page.getByText(t.kindSaved(t.kinds.note)).first().waitFor()
      assert.deepEqual(await findings(page), [])
      await until('the choice is saved', async () => {
        const { body } = await someone.get('/auth/me')
        return body.notificationSoundNote === played.at(-1) && body.vibrationEnabledNote === false
      })
    })

    test(`a notification plays the chosen sound in one tab only, and no sound if it is muted (${language}, ${size})`, async () => {
      const someone = await portal.person(person('listener'))
      const { page, context } = await visitAs(person('listener'), { language, size })
      const played = await listenTo(context)
      const tabs = [page, await context.newPage()]
      for (const tab of tabs) {
        await tab.goto('/account')
        await tab.getByRole('heading', { level: 1 }).click()
      }
      const notify = async (count: number) => {
        const { id } = (await portal.admin.post('/notes', { title: 'news' })).body
        await portal.admin.post(`/notes/${id}/send`, { recipientUserIds: [someone.id] })
        for (const tab of tabs) await tab.locator('.bell').getByText(String(count)).waitFor()
      }
      const seen = async (check: (tab: Page) => Promise<void>) => {
        for (const tab of tabs) await check(tab)
      }
      const notes = (tab: Page) => tab.getByRole('group', { name: t.kinds.note })
      await notes(page).getByRole('combobox').selectOption('bell')
      await until('the chosen sound has played', async () => played.length === 1)
      played.splice(0)

      await page.getByRole('switch', { name: t.muted }).click()
      await seen((tab) => notes(tab).waitFor({ state: 'detached' }))
      await notify(1)
      await page.getByRole('switch', { name: t.muted }).click()
      const wanted = (tab: Page) => notes(tab).getByRole('switch', { name: t.kinds.note })
      await wanted(page).click()
      await seen((tab) => wanted(tab).and(tab.locator('[aria-checked=false]')).waitFor())
      await notify(2)
      await wanted(page).click()
      await seen((tab) => notes(tab).getByRole('combobox').waitFor())
      await notify(3)
      await until('the notification has played', async () => played.length > 0)
      await until('no other tab waits to play it', () =>
        page.evaluate(async () => !(await navigator.locks.query()).pending?.some(({ name }) => name?.startsWith('sound'))),
      )
      assert.deepEqual(played, ['bell'])
    })
  }
})
