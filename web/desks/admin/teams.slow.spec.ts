/** The pages of teams, and the sections of a service for its audience, its team, and its targets. */
import '../../testing/document.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makers } from '../../../test/makers.ts'
import { browser, findings, foreignTexts, foundOption, journeys, pairs, portalWithPages, tooWide } from '../../testing/browser.ts'
import { both as ofSections } from './services/handling-texts.ts'
import { both as ofShared } from './shared/texts.ts'
import { both } from './teams/texts.ts'

const portal = portalWithPages()
const { newGroup, newService, newTeam } = makers(portal)
/** Texts of the tests that may appear in either language. */
const known = /team-?\d+|group-?\d+|admin-\d+|Team (ar|en)|Bawaba|Escape|\bT\b/

journeys(() => {
  const { visitAs } = browser(portal)
  let admins = 0

  for (const pair of pairs) {
    const { language, size } = pair
    const [t, s, shared] = [both[language], ofSections[language], ofShared[language]]
    const titled = (title: string) => `${title} (${language}, ${size})`
    /** Opens an address of the administration as a new administrator. */
    async function at(path: string) {
      const { username } = await portal.person(`admin-${admins++}`, { roles: ['admin'] })
      const opened = await visitAs(username, pair)
      await opened.page.goto(path)
      await opened.page.getByRole('heading', { level: 1 }).first().waitFor()
      return opened
    }

    test(titled('a team is created with its group, and a team with a service cannot be deleted and says why'), async () => {
      const group = await newGroup()
      const { page } = await at('/admin/teams?new=1')
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel(t.nameAr).fill(`فريق ${language}`)
      await dialog.getByLabel(t.nameEn).fill(`Team ${language}`)
      await dialog.getByRole('combobox', { name: t.addGroup }).fill(group.name)
      await foundOption(page, { name: new RegExp(group.name) }).click()
      assert.deepEqual(await findings(page), [])
      await dialog.getByRole('button', { name: t.make }).click()
      await page.waitForURL(/\/admin\/teams\/\d+$/)
      const id = Number(page.url().split('/').at(-1))
      const { body } = await portal.admin.get(`/service-teams/${id}`)
      assert.deepEqual([body.nameEn, body.groupIds], [`Team ${language}`, [group.id]])
      await portal.admin.put(`/services/${(await newService()).id}/handling`, { teamId: id })
      await page.getByRole('button', { name: shared.acts }).click()
      await page.getByRole('menuitem', { name: t.remove }).click()
      await page.getByRole('button', { name: t.removeYes }).click()
      await page.getByText(t.doesServices(1)).waitFor()
      assert.deepEqual(await findings(page), [])
      assert.deepEqual(await foreignTexts(page, language, known), [])
      assert.deepEqual(await tooWide(page), [])
    })

    test(titled('the audience, the team and the targets of a service are saved together'), async () => {
      const [group, team, service] = [await newGroup(), await newTeam(), await newService()]
      const { page } = await at(`/admin/services/${service.id}`)
      const who = page.getByRole('region', { name: s.who })
      await who.getByRole('button', { name: s.someGroups }).click()
      await who.getByText(s.nobody).waitFor()
      await who.getByRole('combobox', { name: s.addGroup }).fill(group.name)
      await foundOption(page, { name: new RegExp(group.name) }).click()
      await page.getByLabel(s.team, { exact: true }).selectOption(String(team.id))
      await page.getByLabel(s.receiveWithin).fill('٤٥')
      await page.getByLabel(s.completeWithin).fill('30')
      await page.keyboard.press('Control+s')
      // The target for completing must not be shorter than that for claiming.
      await page.getByRole('region', { name: s.times, exact: true }).getByRole('alert').filter({ hasText: /\S/ }).waitFor()
      assert.deepEqual(await findings(page), [])
      await page.getByLabel(s.completeWithin).fill('1:30')
      await page.keyboard.press('Control+s')
      await page.getByText(s.handlingSaved).waitFor()
      const { body } = await portal.admin.get(`/services/${service.id}/handling`)
      assert.deepEqual(
        [body.audience, body.audienceGroupIds, body.teamId, body.receiveMinutes, body.completeMinutes],
        ['groups', [group.id], team.id, 45, 90],
      )
      assert.deepEqual(await findings(page), [])
      assert.deepEqual(await tooWide(page), [])
    })
  }
})
