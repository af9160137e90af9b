/** The rule for who sees an app: changed by two administrators, and with more groups than a page of a list has. */
import '../../../testing/document.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../../../../test/client.ts'
import { makers } from '../../../../test/makers.ts'
import { both as consequences } from '../../../parts/overlay/consequences/texts.ts'
import { browser, journeys, portalWithPages, takeFirst } from '../../../testing/browser.ts'
import { both } from './texts.ts'

const portal = portalWithPages()
const { newApp, newGroup } = makers(portal)
const t = both.en

journeys(() => {
  const { visitAs } = browser(portal)
  let admins = 0

  async function openWho(appId: number) {
    const { username } = await portal.person(`boss${admins++}`, { roles: ['admin'] })
    const { page } = await visitAs(username, { language: 'en' })
    await page.goto(`/admin/apps/${appId}?tab=who`)
    await page.getByRole('combobox', { name: t.addGroup }).waitFor()
    return page
  }
  const groupIdsOf = async (appId: number) => (await portal.admin.get(`/apps/${appId}/access`)).body.groupIds as number[]
  const save = (page: Awaited<ReturnType<typeof openWho>>) =>
    page.locator('.consequences-acts [data-kind=main]:not([aria-busy=true])').filter({ hasText: consequences.en.save })

  test('saving an app with 201 groups loses none of them, whether a group was added or not', async () => {
    const app = await newApp()
    const first = await newGroup()
    const many = []
    for (let n = 1; n <= 201; n++) many.push((await newGroup({ name: `many${n}` })).id)
    assert.equal((await portal.admin.put(`/apps/${app.id}/access`, { permissionIds: [], groupIds: many })).status, 200)
    const page = await openWho(app.id)
    await page.keyboard.press('Control+s')
    await page.getByText('many201', { exact: true }).first().waitFor()
    assert.equal((await groupIdsOf(app.id)).length, 201)
    await takeFirst(page.getByRole('combobox', { name: t.addGroup }), first.name)
    await save(page).click()
    await page.getByText(t.accessSaved).waitFor()
    assert.equal((await groupIdsOf(app.id)).length, 202)
  })

  test('a group that another administrator adds meanwhile is not lost by a save', async () => {
    const [app, mine, theirs] = [await newApp(), await newGroup(), await newGroup()]
    const page = await openWho(app.id)
    await page.route('**/api/events?*', (route) => route.abort())
    await takeFirst(page.getByRole('combobox', { name: t.addGroup }), mine.name)
    await save(page).waitFor()
    const { status } = await portal.admin.put(`/apps/${app.id}/access`, { permissionIds: [], groupIds: [theirs.id] })
    assert.equal(status, 200)
    await save(page).click()
    await until('both groups see the app', async () => (await groupIdsOf(app.id)).length === 2)
    await page.locator('.chip').filter({ hasText: theirs.name }).waitFor()
    assert.deepEqual((await groupIdsOf(app.id)).toSorted(), [mine.id, theirs.id].toSorted())
  })
})
