/** Decisions on requests, leaving a group, and the places from which people ask for access. */
import '../../testing/document.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asking, bodyOf } from '../../../test/access-requests.ts'
import { until } from '../../../test/client.ts'
import { inDays, passDays } from '../../../test/grants.ts'
import { runJob } from '../../../test/jobs.ts'
import { accessScenes, isolated } from '../../testing/access.ts'
import { browser, findings, hasLoaded, journeys, portalWithPages } from '../../testing/browser.ts'
import { both as apps } from '../apps/texts.ts'

const portal = portalWithPages()
const { make, ask, approve, deny, read, setPolicy } = asking(portal)

journeys(() => {
  const { visitAs, problems } = browser(portal)
  const { scene, person } = accessScenes(portal, visitAs)

  test('an approval is refused if the group gives more than the page showed, and the page says what changed', async () => {
    const { d, dana, sami, group, open, title, nameOf } = await scene('en')
    const id = await ask(dana, group.id, { days: 30 })
    const page = await open(sami, `/access/requests/${id}`)
    const accept = page.locator('[data-decision=approve]')
    await accept.waitFor()
    const app = await make.newApp({ nameEn: 'Payroll', permissionIds: [(await make.newPermission()).id] })
    await portal.admin.post(`/groups/${group.id}/apps`, { appId: app.id })
    const refused = page.waitForResponse((answer) => answer.request().method() === 'POST' && answer.url().includes('/approve'))
    await accept.click()
    assert.equal((await refused).status(), 412)
    await page.getByText(d.changedMeanwhile).waitFor()
    await page
      .locator('.my-access-since')
      .getByText(d.changes.adds(isolated('Payroll')))
      .waitFor()
    await page.locator('.my-access-gains').getByText('Payroll').waitFor()
    assert.equal((await read(dana, id)).status, 'pending')
    assert.deepEqual(await findings(page), [])
    await accept.click()
    await page.getByText(d.said.approved(nameOf.dana, title)).waitFor()
    assert.equal((await read(dana, id)).status, 'approved')
  })

  test('after an approver has shortened the time, a second approver must decide, and their typed note survives a denial by the first', async () => {
    const { d, t, n, dana, sami, group, open, title, nameOf } = await scene('en', 'desktop', { minApprovals: 2 })
    const huda = await person(`huda${n}`, 'هدى', 'Huda')
    await setPolicy(group.id, { requestable: true, approverUserIds: [sami.id, huda.id], minApprovals: 2 })
    const id = await ask(dana, group.id, { days: 30 })
    const page = await open(sami, `/access/requests/${id}`)
    await page.getByRole('button', { name: t.other }).click()
    await page.getByLabel(t.dayCount).fill('40')
    await page.locator('[data-decision=approve]').click()
    await page.getByText(t.wrongDays(t.days(30))).waitFor()
    await page.getByLabel(t.dayCount).fill('١٠')
    await page.getByRole('button', { name: d.approveFor(t.days(10)) }).click()
    await page.getByText(d.said.pending(nameOf.dana, title)).waitFor()
    assert.equal((await read(sami, id)).approvals[0].days, 10)
    await page.getByRole('heading', { name: t.others }).waitFor()
    const other = await open(huda, `/access/requests/${id}`)
    await other.getByText(d.forAtMost(t.days(10))).waitFor()
    await other.getByLabel(d.note(nameOf.dana)).fill('My own word')
    await deny(sami, id, 'Not now')
    await other.getByText(d.meanwhile.denied(nameOf.sami)).waitFor()
    assert.equal(await other.getByLabel(d.typed).inputValue(), 'My own word')
    assert.equal(await other.locator('[data-decision]').count(), 0)
    assert.deepEqual(await findings(other), [])
  })

  test('a denial without a note shows on a phone where to write it', async () => {
    const { d, dana, sami, group, open, nameOf } = await scene('en', 'phone')
    const page = await open(sami, `/access/requests/${await ask(dana, group.id, { days: 30 })}`)
    await page.locator('[data-decision=deny]').click()
    await page.getByText(d.noteMissing).waitFor()
    const note = page.getByLabel(d.note(nameOf.dana))
    const isSeen = () =>
      note.evaluate((field) => {
        const { x, y, width, height } = field.getBoundingClientRect()
        return document.activeElement === field && document.elementFromPoint(x + width / 2, y + height / 2) === field
      })
    await until('nothing covers the note', isSeen)
  })

  test('a request for 60 days can be approved after the group has lowered its maximum to 5, and gives 5', async () => {
    const { d, dana, sami, group, open, title, nameOf } = await scene('en')
    const id = await ask(dana, group.id, { days: 60 })
    await setPolicy(group.id, { requestable: true, approverUserIds: [sami.id], maxDays: 5 })
    const page = await open(sami, `/access/requests/${id}`)
    await page.getByRole('button', { name: d.approveLast(nameOf.dana) }).click()
    await page.getByText(d.said.approved(nameOf.dana, title)).waitFor()
    const { grantEndsAt, decidedAt } = await read(dana, id)
    assert.equal(Math.round((Date.parse(grantEndsAt) - Date.parse(decidedAt)) / 86_400_000), 5)
  })

  test('a person who leaves the page during an approval stays where they are when the reply comes', async () => {
    const { d, dana, sami, group, open, title, nameOf } = await scene('en')
    const [id] = [await ask(dana, group.id), await ask(await person('next', 'ليلى', 'Layla'), group.id)]
    const page = await open(sami, `/access/requests/${id}`)
    const gate = Promise.withResolvers<void>()
    await page.route('**/approve', async (route) => {
      await gate.promise
      await route.continue()
    })
    await page.locator('[data-decision=approve]').click()
    await page.getByRole('navigation').first().getByRole('link', { name: 'Notes', exact: true }).click()
    await page.waitForURL('**/notes')
    gate.resolve()
    await page.getByText(d.said.approved(nameOf.dana, title)).waitFor()
    assert.equal(new URL(page.url()).pathname, '/notes')
  })

  test('the typed note of an approver who may no longer decide stays readable', async () => {
    const { d, dana, sami, group, open, nameOf } = await scene('en')
    const id = await ask(dana, group.id)
    const page = await open(sami, `/access/requests/${id}`)
    await page.getByLabel(d.note(nameOf.dana)).fill('My own word')
    await setPolicy(group.id, { requestable: true })
    await page.locator('[data-decision=deny]').click()
    await page.getByText(d.gone).waitFor()
    assert.equal(await page.getByLabel(d.typed).inputValue(), 'My own word')
    assert.deepEqual(await findings(page), [])
  })

  test('keys move through the requests and focus the buttons, a second press decides, and the next request opens', async () => {
    const { d, dana, sami, group, open, title, nameOf, n } = await scene('en')
    const other = await person(`omar${n}`, 'عمر', 'Omar')
    const [first, second] = [await ask(dana, group.id), await ask(other, group.id)]
    const page = await open(sami, `/access/requests/${first}`)
    await page.locator('[data-decision=approve]').waitFor()
    await page.locator('nav .my-access-row').nth(1).waitFor()
    await hasLoaded(page, 'frame/later.ts')
    await page.keyboard.press('j')
    await page.waitForURL(`**/requests/${second}`)
    await page.keyboard.press('k')
    await page.waitForURL(`**/requests/${first}`)
    await page.locator('[data-decision=approve]').waitFor()
    await page.keyboard.press('r')
    await page.locator('[data-decision=deny]:focus').waitFor()
    await page.keyboard.press('r')
    await page.getByText(d.noteMissing).waitFor()
    await page.locator('textarea:focus').waitFor()
    await page.keyboard.press('Escape')
    await page.locator('[data-decision=approve]').focus()
    await page.keyboard.press('a')
    await page.getByText(d.said.approved(nameOf.dana, title)).waitFor()
    await page.waitForURL(`**/requests/${second}`)
  })

  test('leaving a group says what is lost, can be undone, and takes effect only when undo is over', async () => {
    const { t, dana, sami, group, open, title, appName } = await scene('en')
    await approve(sami, await ask(dana, group.id))
    const page = await open(dana, '/access')
    const leave = page.getByRole('button', { name: t.leaveNamed(title) })
    await leave.click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText(t.loses(isolated(appName))).waitFor()
    assert.deepEqual(await findings(page), [])
    await dialog.getByRole('button', { name: t.leave, exact: true }).click()
    await page.getByText(t.left(title)).waitFor()
    await leave.waitFor({ state: 'detached' })
    await page.keyboard.press('Control+z')
    await leave.waitFor()
    const held = async () =>
      (await bodyOf(dana.get('/auth/me/grants'))).some((one: { id: number; kind: string }) => one.kind === 'group' && one.id === group.id)
    assert.equal(await held(), true)
    await leave.click()
    await dialog.getByRole('button', { name: t.leave, exact: true }).click()
    // Leaving the page ends the time for undo.
    await page.goto('/')
    await until('the membership is given back', async () => !(await held()))
    await page.goto('/access/offers')
    await page.getByRole('button', { name: t.askNamed(title) }).waitFor()
  })

  test('a hidden app offers the group that shows it, and reveals nothing if nobody can ask for that group', async () => {
    const { t, dana, app, group, open, title } = await scene('en')
    const words = apps.en
    const page = await open(dana, `/apps/${app.slug}`)
    await page.getByText(words.askHint(true)).waitFor()
    assert.deepEqual(await findings(page), [])
    await page.getByRole('link', { name: words.askNamed(title) }).click()
    await page.getByRole('dialog', { name: t.askTitle(title) }).waitFor()
    await page.goto(`/access/offers?app=${app.id}`)
    await page.getByRole('button', { name: t.askNamed(title) }).waitFor()
    await setPolicy(group.id, { requestable: false })
    for (const slug of [app.slug, 'no-such-app']) {
      await page.goto(`/apps/${slug}`)
      await page.getByText(words.unknownHint).waitFor()
      assert.equal(await page.locator('.app-ways').count(), 0)
    }
    await page.goto(`/access/offers?app=${app.id}`)
    await page.getByText(t.noneForApp).waitFor()
    await page.goto(`/access/offers?ask=${group.id}`)
    await page.getByText(t.unaskableHint).waitFor()
    assert.deepEqual(await findings(page), [])
  })

  test('a person is told that a membership has ended only if they had it, and an administrator is taken to the page of the group', async () => {
    const { t, dana, group, open, n, title } = await scene('en')
    const path = `/access/groups/${group.id}`
    const boss = await portal.person(`boss${n}`, { roles: ['admin'] })
    await (await open(boss, path)).waitForURL(`**/admin/groups/${group.id}`)
    const { page } = await visitAs(dana.username, { language: 'en' })
    const answered = page.waitForResponse((answer) => answer.url().includes('/notifications?limit=500'))
    await page.goto(path)
    await answered
    await page.locator('.my-access-card').first().waitFor()
    assert.equal(await page.getByText(t.overNamed(title)).count(), 0)
    await portal.admin.post(`/groups/${group.id}/users`, { userId: dana.id, expiresAt: inDays(1) })
    await passDays(portal, 2)
    await runJob(portal, 'expire_grants')
    await page.getByText(t.overNamed(title)).waitFor()
    await page.reload()
    await page.getByText(t.overNamed(title)).waitFor()
  })

  test('an open app says in its last hour when it closes, on a device whose clock is an hour slow, and closes then without an event', async () => {
    const { dana, app, group, appName } = await scene('en')
    const words = apps.en
    const DAY_MS = 86_400_000
    const HALF_AN_HOUR = 1 / 48
    await portal.admin.post(`/groups/${group.id}/users`, { userId: dana.id, expiresAt: inDays(1) })
    const { page } = await visitAs(dana.username, { language: 'en' })
    await page.clock.install({ time: Date.now() - DAY_MS / 24 })
    await page.goto(`/apps/${app.slug}`)
    await page.locator('iframe').waitFor()
    await until('the browser reports that the portal may not be framed', () => problems.length)
    problems.splice(0)
    assert.equal(await page.locator('.app-ends').count(), 0)
    await passDays(portal, 1 - HALF_AN_HOUR)
    await page.reload()
    await page
      .locator('.app-ends')
      .getByText(/ends in (29|30) minutes\./)
      .waitFor()
    assert.equal(await page.getByRole('link', { name: words.longer }).getAttribute('href'), `/access/groups/${group.id}`)
    assert.deepEqual(await findings(page), [])
    await until('the browser reports that the portal may not be framed', () => problems.length)
    problems.splice(0)
    await passDays(portal, HALF_AN_HOUR)
    await page.clock.fastForward(HALF_AN_HOUR * DAY_MS + 2000)
    await page.getByRole('heading', { name: words.over(appName) }).waitFor()
  })

  test('the palette finds a group by the name of its app, other people cannot open the request, and a typed reason is stored', async () => {
    const { t, d, dana, sami, group, open, title, appName, n } = await scene('en')
    const page = await open(dana, '/')
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill(appName)
    await page.getByRole('option', { name: t.askNamed(title) }).click()
    await page.waitForURL(`**/access/offers?ask=${group.id}`)
    await page.getByRole('dialog').getByRole('button', { name: t.send }).click()
    await page.getByText(t.sent(title)).waitFor()
    // Press at once, because undo is offered only for a while.
    await page.keyboard.press('Control+z')
    await page.getByText(t.withdrawn(title)).waitFor()
    const [id] = (await bodyOf(dana.get('/access-requests'))).items.map((one: { id: number }) => one.id)
    const stranger = await open(await person(`stranger${n}`, 'غريب', 'Stranger'), `/access/requests/${id}`)
    await stranger.getByText(d.gone).waitFor()
    await stranger.waitForFunction((title) => document.title.startsWith(title), d.gone)
    assert.deepEqual(await findings(stranger), [])
    assert.equal((await read(sami, id).catch(() => ({ status: 'unknown' }))).status !== 'pending', true)
    // A typed reason survives a reload.
    await page.goto(`/access/offers?ask=${group.id}`)
    await page.getByRole('dialog').getByRole('textbox').fill('Kept for later')
    await until('the draft is kept', () =>
      page.evaluate(
        () =>
          new Promise<boolean>((resolve) => {
            const request = indexedDB.open('bawaba', 1)
            request.onsuccess = () => {
              const all = request.result.transaction('kept').objectStore('kept').getAll()
              all.onsuccess = () => resolve(all.result.some((one) => one.reason === 'Kept for later'))
            }
          }),
      ),
    )
    await page.reload()
    await page.waitForFunction(() => document.querySelector('textarea')?.value === 'Kept for later')
  })
})
