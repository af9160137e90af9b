/** The conditions of joining a group, and the administrators' list of requests. */
import '../../testing/document.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../../../test/client.ts'
import { makers } from '../../../test/makers.ts'
import { both as forms } from '../../parts/forms/form/texts.ts'
import { both as filters } from '../../parts/lists/filters/texts.ts'
import { browser, findings, foreignTexts, foundOption, journeys, pairs, portalWithPages, tooWide } from '../../testing/browser.ts'
import { both as ofPolicy } from './group/policy/texts.ts'
import { both as ofOverview } from './overview/texts.ts'
import { both as ofRequests } from './requests/texts.ts'

const portal = portalWithPages()
const { newGroup, newPerson } = makers(portal)
const known = /[@\w.-]*\d+|Everyone|admin|@\w+|Ctrl|Z\b|Lina|Noura/

journeys(() => {
  const { visitAs } = browser(portal)
  let admins = 0
  const read = async (path: string) => (await portal.admin.get(path)).body
  const person = (name: string) => newPerson({ displayNameAr: name, displayNameEn: name })
  const policyOf = (id: number) => read(`/groups/${id}/request-policy`)
  const allow = async (id: number, fields: object = {}) => {
    const { status } = await portal.admin.put(`/groups/${id}/request-policy`, { requestable: true, ...fields })
    assert.equal(status, 200)
  }

  for (const pair of pairs) {
    const { language, size } = pair
    const [t, r, f] = [ofPolicy[language], ofRequests[language], forms[language]]
    const titled = (title: string) => `${title} (${language}, ${size})`
    async function at(path: string) {
      const { username } = await portal.person(`porter-${admins++}`, { roles: ['admin'], displayNameAr: 'سلمى', displayNameEn: 'Salma' })
      const opened = await visitAs(username, pair)
      await opened.page.goto(path)
      await opened.page.getByRole('heading', { level: 1 }).first().waitFor()
      return opened
    }

    test(titled('a group is opened to requests with its conditions, and undo closes it'), async () => {
      const [askers, decider, group] = [await newGroup(), await person('Noura'), await newGroup()]
      const { page } = await at(`/admin/groups/${group.id}?tab=requests`)
      await page.getByRole('switch', { name: t.requestable }).click()
      await page.getByText(t.onlyAdmins).waitFor()
      await page.getByRole('combobox', { name: `${t.askers}: ${t.addGroup}` }).fill(askers.name)
      await foundOption(page, { name: askers.name }).click()
      await page.getByRole('combobox', { name: `${t.approvers}: ${t.addPerson}` }).fill(decider.username)
      await foundOption(page, { name: 'Noura' }).click()
      await page.getByLabel(t.longest).fill('4000')
      await page.getByText(t.longestWrong).waitFor()
      await page.getByLabel(t.longest).fill('12 weeks')
      await page.getByRole('button', { name: f.save, exact: true }).click()
      await page.locator('[name=maxDays]:focus').waitFor()
      assert.equal((await policyOf(group.id)).requestable, false)
      await page.getByRole('button', { name: t.days(30) }).click()
      await page.getByLabel(t.longest).fill('٩٠')
      await page.locator('[aria-pressed=true]', { hasText: t.days(90) }).waitFor()
      await page.getByRole('switch', { name: t.reason }).click()
      await page.getByLabel(t.noteEn).fill('For the budget round')
      assert.deepEqual(await findings(page), [])
      assert.deepEqual(await foreignTexts(page, language, known), [])
      await page.getByRole('button', { name: f.save, exact: true }).click()
      await page.getByText(t.saved).waitFor()
      const { requestable, askerGroupIds, approverUserIds, maxDays, reasonRequired, noteEn } = await policyOf(group.id)
      assert.deepEqual(
        [requestable, askerGroupIds, approverUserIds, maxDays, reasonRequired, noteEn],
        [true, [askers.id], [decider.id], 90, true, 'For the budget round'],
      )
      await page.getByRole('heading', { level: 1 }).first().focus()
      await page.keyboard.press('Control+z')
      await page.getByText(f.takenBack).waitFor()
      assert.equal((await policyOf(group.id)).requestable, false)
      assert.deepEqual(await tooWide(page), [])
    })

    test(titled('two administrators’ changes are merged, and the page warns of an approving group that is open to requests'), async () => {
      const [deciders, group] = [await newGroup(), await newGroup()]
      await allow(deciders.id)
      await allow(group.id, { approverGroupIds: [deciders.id] })
      const { page } = await at(`/admin/groups/${group.id}?tab=requests`)
      await page.getByText(t.backDoor(`\u2068${deciders.name}\u2069`)).waitFor()
      await page.getByLabel(t.noteEn).fill('Mine')
      await allow(group.id, { approverGroupIds: [deciders.id], maxDays: 30 })
      await page.getByRole('button', { name: f.save, exact: true }).click()
      await until('both are saved', async () => {
        const { maxDays, noteEn } = await policyOf(group.id)
        return maxDays === 30 && noteEn === 'Mine'
      })
      assert.deepEqual(await findings(page), [])
    })

    test(titled('the pages of Everyone and of a group with the role admin say why nobody can ask to join them'), async () => {
      const everyone = (await read('/groups?q=Everyone'))[0].id
      const { page } = await at(`/admin/groups/${everyone}?tab=requests`)
      await page.getByText(t.neverSystem).waitFor()
      const group = await newGroup()
      const admin = (await read('/roles')).find(({ name }: { name: string }) => name === 'admin')
      await portal.admin.post(`/groups/${group.id}/roles`, { roleId: admin.id })
      await page.goto(`/admin/groups/${group.id}?tab=requests`)
      await page.getByText(t.neverAdmin).waitFor()
      assert.deepEqual(await findings(page), [])
    })

    test(titled('all requests are listed and filtered by the address, and closing a group says first how many lapse'), async () => {
      const [lina, group] = [await person('Lina'), await newGroup()]
      await allow(group.id)
      assert.equal((await lina.post('/access-requests', { groupId: group.id, reason: 'Budget', days: 30 })).status, 201)
      const { page } = await at(`/admin/requests?group=${group.id}`)
      const row = page.getByRole('row', { name: 'Lina' })
      await row.getByText(r.statuses.pending).waitFor()
      assert.deepEqual(await findings(page), [])
      assert.deepEqual(await foreignTexts(page, language, known), [])
      await page.goto(`/admin/requests?group=${group.id}&status=denied`)
      await page.getByText(r.nothing).waitFor()
      await page.getByRole('button', { name: filters[language].clear }).first().click()
      await page.getByRole('row', { name: 'Lina' }).first().waitFor()
      assert.deepEqual(await tooWide(page), [])

      await page.goto('/admin')
      await page.getByText(ofOverview[language].requestsForYou(1)).waitFor()
      assert.deepEqual(await findings(page), [])

      const { page: other } = await at(`/admin/groups/${group.id}?tab=requests`)
      await other.getByText(t.waiting(1)).waitFor()
      await other.getByRole('switch', { name: t.requestable }).click()
      await other.getByText(t.lapse(1)).waitFor()
      await other.getByRole('button', { name: f.save, exact: true }).click()
      await until(
        'the request has lapsed',
        async () => (await read(`/access-requests?view=all&groupId=${group.id}`)).items[0].status === 'lapsed',
      )
      assert.deepEqual(await findings(other), [])
    })
  }
})
