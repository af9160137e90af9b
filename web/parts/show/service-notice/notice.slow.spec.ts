/** The notice about a service: typed text is kept on the device, but a pause is not until it is saved. */
import '../../../testing/document.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makers } from '../../../../test/makers.ts'
import { both as ofTeam } from '../../../people/team/texts.ts'
import { browser, journeys, pairs, portalWithPages } from '../../../testing/browser.ts'
import { both } from './texts.ts'

const portal = portalWithPages()
const { newGroup, newService, newTeam } = makers(portal)

journeys(() => {
  const { visitAs } = browser(portal)

  for (const pair of pairs) {
    const { language, size } = pair
    const [t, team] = [both[language], ofTeam[language]]

    test(`an unsaved pause is forgotten, but the text typed with it is kept (${language}, ${size})`, async () => {
      await portal.ready
      const lead = await portal.person(`lead-${language}`)
      const group = await newGroup({ userIds: [] })
      const { id: teamId } = await newTeam({ groupIds: [group.id], leadUserIds: [lead.id] })
      const service = await newService({ nameAr: `مصباح ${language}`, nameEn: `Lamp ${language}` })
      await portal.admin.put(`/services/${service.id}/handling`, { teamId })
      const { page } = await visitAs(lead.username, pair)
      await page.goto('/team')
      const name = `${language === 'ar' ? 'مصباح' : 'Lamp'} ${language}`
      const paused = (checked: boolean) => page.getByRole('switch', { name: t.paused, checked })
      const text = page.getByLabel(t.noticeAr)
      const close = async () => {
        await page.keyboard.press('Escape')
        await text.waitFor({ state: 'detached' })
      }
      await page.getByRole('button', { name: team.stopOf(name) }).click()
      await paused(true).waitFor()
      await text.fill('جرد')
      await close()
      await page.getByRole('button', { name: team.noticeOf(name) }).click()
      await page.waitForFunction(() => document.querySelector('textarea')?.value === 'جرد')
      assert.equal(await page.getByRole('switch', { name: t.paused }).count(), 0)
      await close()
      assert.equal((await portal.admin.get(`/services/${service.id}/notice`)).body.paused, false)
      await page.getByRole('button', { name: team.stopOf(name) }).click()
      await paused(true).waitFor()
      assert.equal(await text.inputValue(), 'جرد')
    })
  }
})
