/** Access is asked for, decided on, extended and given back, and ends, while everyone concerned watches. */
import '../../testing/document.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asking, bodyOf } from '../../../test/access-requests.ts'
import { until } from '../../../test/client.ts'
import { inDays, passDays } from '../../../test/grants.ts'
import { runJob } from '../../../test/jobs.ts'
import { slowTest } from '../../../test/suite.ts'
import { both as ends } from '../../parts/show/ends/texts.ts'
import { both as parts } from '../../parts/texts.ts'
import { accessScenes } from '../../testing/access.ts'
import { browser, journeys, pairs, portalWithPages, tooWide } from '../../testing/browser.ts'
import { both as apps } from '../apps/texts.ts'
import { both as decided } from '../notifications/deciding-texts.ts'
import { both as told } from '../notifications/texts.ts'

const portal = portalWithPages()
const { ask, deny, read, setPolicy } = asking(portal)

journeys(() => {
  const { visitAs, problems } = browser(portal)
  const { scene, fine } = accessScenes(portal, visitAs)

  for (const { language, size } of pairs) {
    const titled = (title: string) => `${title} (${language}, ${size})`
    const why = language === 'ar' ? 'أراجع الميزانية' : 'I check the budget'

    test(titled('access is asked for from home, approved, and the tile appears by itself'), async () => {
      const { t, d, dana, sami, group, open, title, appName, nameOf } = await scene(language, size, { reasonRequired: true })
      const home = await open(dana, '/')
      const page = await open(dana, '/')
      await page.getByRole('link', { name: t.offers }).click()
      await page.waitForURL('**/access/offers')
      await page.getByRole('searchbox').fill(appName)
      await page.waitForFunction(() => document.querySelectorAll('.my-access-card').length === 1)
      await page.getByText(t.most(t.days(90))).waitFor()
      await fine(page, language)
      await page.getByRole('button', { name: t.askNamed(title) }).click()
      const dialog = page.getByRole('dialog')
      await dialog.locator('textarea:focus').waitFor()
      await dialog.getByRole('button', { name: t.send }).click()
      await dialog.getByText(t.reasonMissing).waitFor()
      await dialog.locator('textarea:focus').fill(why)
      await dialog.getByRole('button', { name: t.days(7), exact: true }).click()
      await fine(page, language)
      await page.keyboard.press('Tab')
      await dialog.getByRole('textbox').press('Control+Enter')
      await page.getByText(t.sent(title)).waitFor()
      await page.locator('.my-access-card').getByText(t.pending).waitFor()
      // The approver opens the request from its notification.
      const bell = await open(sami, '/notifications')
      await bell.locator('.notification').getByRole('link').click()
      await bell.getByRole('heading', { level: 1, name: d.othersTitle(nameOf.dana, title) }).waitFor()
      await bell.getByText(why).first().waitFor()
      await bell.locator('.my-access-gains').getByText(appName).waitFor()
      await bell.getByText(d.members(0)).waitFor()
      await fine(bell, language)
      // On a phone, the buttons are in sight at once.
      const accept = bell.getByRole('button', { name: d.approveLast(nameOf.dana) })
      const box = (await accept.boundingBox())!
      const { height } = bell.viewportSize()!
      if (size === 'phone') assert.ok(box.y + box.height <= height, `${box.y} of ${height}`)
      await accept.click()
      await bell.getByText(d.said.approved(nameOf.dana, title)).waitFor()
      await bell.getByText(t.noneToReview).waitFor()
      await home.locator('.home-tile').getByText(appName).waitFor()
      await page.locator('.my-access-card .chip').waitFor()
      await page.getByRole('link', { name: t.held }).click()
      await page.locator('.my-access-card', { hasText: group.name }).getByText(appName).waitFor()
      await fine(page, language)
      await page.getByRole('link', { name: t.byRequest }).click()
      await page.getByText(d.approvedBy(nameOf.sami)).waitFor()
      await fine(page, language)
      assert.deepEqual(await tooWide(page), [])
      assert.deepEqual(await tooWide(bell), [])
    })

    slowTest(titled('a person is warned of the end of a membership, extends it, and sees it end while its app is open'), async () => {
      const { t, d, dana, sami, app, group, open, title, appName, nameOf } = await scene(language, size)
      await bodyOf(portal.admin.post(`/groups/${group.id}/users`, { userId: dana.id, expiresAt: inDays(8) }), 201)
      await passDays(portal, 1.5)
      await runJob(portal, 'remind')
      const page = await open(dana, '/notifications')
      await page.locator('.notification').getByRole('link').click()
      await page.waitForURL(`**/access/groups/${group.id}`)
      const card = page.locator('.my-access-card[data-sought]')
      await card.locator('.chip[data-kind=warn]').waitFor()
      await fine(page, language)
      await card.getByRole('button', { name: t.extendNamed(title) }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('heading', { name: t.extendTitle(title) }).waitFor()
      await dialog.getByRole('button', { name: t.send }).click()
      await card.getByText(t.extending).waitFor()
      const [id] = (await bodyOf(sami.get('/access-requests?view=review'))).items.map((one: { id: number }) => one.id)
      const decider = await open(sami, `/access/requests/${id}`)
      await decider.getByText(d.gainsNothing).waitFor()
      await decider.getByRole('button', { name: d.approveLast(nameOf.dana) }).click()
      await card.getByRole('button', { name: t.extendNamed(title) }).waitFor()
      await card.getByText(ends[language].inDays(30)).waitFor()
      // The membership ends while the app is open.
      const opened = await open(dana, `/apps/${app.slug}`)
      await opened.locator('iframe').waitFor()
      await until('the browser reports that the portal may not be framed', () => problems.length)
      problems.splice(0)
      await passDays(portal, 31)
      await runJob(portal, 'expire_grants')
      await opened.getByRole('heading', { name: apps[language].over(appName) }).waitFor()
      await opened.getByRole('link', { name: apps[language].askNamed(title) }).waitFor()
      await fine(opened, language)
      await page.getByText(t.overNamed(title)).waitFor()
      await page.getByRole('button', { name: t.askNamed(title) }).waitFor()
      await fine(page, language)
      assert.deepEqual(await tooWide(page), [])
    })

    slowTest(titled('a request is decided in its notification'), async () => {
      const { dana, sami, group, open, title, nameOf } = await scene(language, size)
      const words = { ...decided[language], decide: told[language].decide }
      const id = await ask(dana, group.id, { reason: why, days: 14 })
      const page = await open(sami, '/notifications')
      await page.getByRole('button', { name: words.decide }).click()
      const here = page.locator('.notifications-decide')
      await here.getByText(why).waitFor()
      await here.getByText(words.forDays(14)).waitFor()
      await fine(page, language)
      await here.getByRole('button', { name: words.deny }).click()
      await here.locator('textarea:focus').waitFor()
      await here.getByRole('button', { name: words.deny }).click()
      await here.getByText(words.denyMissing).waitFor()
      await here.getByRole('textbox').fill('Later')
      await fine(page, language)
      await here.getByRole('button', { name: words.deny }).click()
      await page.getByText(words.denied(nameOf.dana, title)).waitFor()
      await here.waitFor({ state: 'detached' })
      assert.deepEqual([(await read(dana, id)).status, (await read(dana, id)).decisionNote], ['denied', 'Later'])
      await page.locator('.notification a:focus').waitFor()
      // The next request is approved.
      await page.getByRole('button', { name: words.decide }).waitFor({ state: 'detached' })
      const other = await ask(dana, group.id, { reason: why })
      await page.getByRole('button', { name: words.decide }).click()
      await here.getByRole('button', { name: words.approve }).click()
      await page.getByText(words.approved(nameOf.dana, title)).waitFor()
      assert.equal((await read(dana, other)).status, 'approved')
    })

    slowTest(titled('requests show how they ended, and can be withdrawn or made again'), async () => {
      const { t, d, dana, sami, group, open, title } = await scene(language, size)
      const first = await ask(dana, group.id)
      await deny(sami, first, why)
      const second = await ask(dana, group.id, { days: 5 })
      const list = await open(dana, '/access/requests')
      await list.getByText(t.states.denied).waitFor()
      await fine(list, language)
      await list.locator('.my-access-row').first().click()
      await list.waitForURL(`**/access/requests/${second}`)
      await list.getByRole('button', { name: d.withdraw }).click()
      await list.getByRole('dialog').getByRole('button', { name: d.withdraw }).click()
      await list.getByText(d.saidWithdrawn(title)).waitFor()
      await list.locator('.my-access-head').getByText(t.states.withdrawn).waitFor()
      await list.goto(`/access/requests/${first}`)
      await list.getByText(why).waitFor()
      await fine(list, language)
      await list.getByRole('link', { name: d.again }).click()
      await list.getByRole('dialog').getByRole('button', { name: t.send }).waitFor()
      await list.getByRole('dialog').getByRole('button', { name: parts[language].close, exact: true }).click()
      const third = await ask(dana, group.id)
      await setPolicy(group.id, { requestable: false })
      await list.goto(`/access/requests/${third}`)
      await list.getByText(d.lapsed.not_requestable).waitFor()
      await list.getByRole('link', { name: d.again }).waitFor({ state: 'detached' })
    })
  }
})
