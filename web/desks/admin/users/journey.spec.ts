/** Administrators find people, invite them one by one, and change many at once. */
import '../../../testing/document.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { slowTest } from '../../../../test/suite.ts'
import { both as choosing } from '../../../parts/lists/table/texts.ts'
import {
  browser,
  findings,
  foreignTexts,
  holdCalls,
  journeys,
  pairs,
  portalWithPages,
  takeFirst,
  tooWide,
} from '../../../testing/browser.ts'
import { both as acting } from '../shared/person-acts/texts.ts'
import { both as ofDesk } from '../texts.ts'
import { both as ofUser } from '../user/texts.ts'
import { both as inviting } from './invite-texts.ts'
import { both } from './texts.ts'

const portal = portalWithPages()
const named = (ar: string, en: string) => ({ displayNameAr: ar, displayNameEn: en })

journeys(() => {
  const { visitAs } = browser(portal)
  let made = 0

  /** Creates a group of three people called Ahmad, one of them deactivated, and an administrator with the list open. */
  async function setUp({ language, size }: (typeof pairs)[number]) {
    const n = ++made
    const boss = await portal.person(`boss${n}`, { ...named('عمر', 'Omar'), roles: ['admin'] })
    const group = (await portal.admin.post('/groups', { name: `team${n}`, descriptionAr: `فريق ${n}`, descriptionEn: `Team ${n}` })).body.id
    const ids: number[] = []
    for (const [place, ar] of ['أحمد الحربي', 'أَحمد درويش', 'محمد احمد'].entries())
      ids.push((await portal.person(`ahmad${n}.${place}`, { ...named(ar, `Ahmad ${place}`), groupIds: [group] })).id)
    await portal.admin.patch(`/users/${ids[2]}`, { isActive: false })
    const { page } = await visitAs(`boss${n}`, { language, size })
    const open = async (query: string) => {
      await page.goto(`/admin/users?${query}`)
      await page.getByRole('heading', { level: 1, name: both[language].title }).waitFor()
      await page.locator('[role=rowgroup] [role=row]').first().waitFor()
    }
    return { page, open, t: both[language], n, boss, group, ids }
  }
  const rows = (page: Page) => page.locator('[role=rowgroup] [role=row]')
  const row = (page: Page, name: string | RegExp) => rows(page).filter({ hasText: name })

  for (const pair of pairs) {
    const { language, size } = pair
    const titled = (title: string) => `${title} (${language}, ${size})`

    slowTest(titled('a search ignores case and letter variants and marks the matches, and filters are in the address'), async () => {
      const { page, open, t, n, group } = await setUp(pair)
      await open(`group=${group}`)
      await page.getByText(t.found(3)).waitFor()
      assert.deepEqual(await findings(page), [])
      assert.deepEqual(await foreignTexts(page, language, /Bawaba|Ctrl|ahmad/), [])
      await page.getByRole('searchbox').fill(language === 'ar' ? 'الاحمد' : 'ahmad 9')
      await page.getByText(t.nobody).waitFor()
      await page.getByRole('searchbox').fill(language === 'ar' ? 'احمد' : 'AHMAD')
      await page.getByText(t.found(3)).waitFor()
      assert.equal(await page.locator('.users-name mark').count(), 3)
      await page.getByRole('button', { name: new RegExp(`^${t.status}`) }).click()
      await page.getByRole('menuitemradio', { name: t.disabled }).click()
      await row(page, language === 'ar' ? 'محمد' : 'Ahmad 2').waitFor()
      assert.match(page.url(), /group=\d+.*q=.*status=disabled/)
      await page.getByText(t.found(1)).waitFor()
      await page.getByRole('button', { name: t.clear }).click()
      await page.getByText(t.found(1)).waitFor({ state: 'detached' })
      await open(`q=ahmad${n}.1`)
      assert.deepEqual(await tooWide(page), [])
    })

    test(titled('an invited person gets a free username, and the administrator a link to hand over'), async () => {
      const { page, open, t, n } = await setUp(pair)
      const words = inviting[language]
      await open(`q=ahmad${n}`)
      await page.getByRole('button', { name: t.invite, exact: true }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel(words.email).fill(`ahmad${n}.1@example.com`)
      await dialog.getByLabel(words.username).focus()
      await dialog.getByText(words.proposed(`ahmad${n}.1`, `ahmad${n}.12`)).waitFor()
      assert.equal(await dialog.getByLabel(words.username).inputValue(), `ahmad${n}.12`)
      await takeFirst(dialog.getByRole('combobox', { name: words.groups }), `team${n}`)
      assert.deepEqual(await findings(page), [])
      await dialog.getByRole('button', { name: words.send, exact: true }).click()
      const link = dialog.getByLabel(words.link, { exact: true })
      await link.waitFor()
      assert.match(await link.inputValue(), /reset-password\?token=/)
      assert.deepEqual(await findings(page), [])
      await dialog.getByRole('button', { name: words.done, exact: true }).click()
      await row(page, t.pending).waitFor()
      const [person] = (await portal.admin.get(`/users?q=ahmad${n}.12`)).body
      assert.deepEqual([person.invitation, person.groups.length], ['pending', 2])
    })

    slowTest(titled('a username that was typed while a free one was looked up stays'), async () => {
      const { page, open, t, n } = await setUp(pair)
      const words = inviting[language]
      await open(`q=ahmad${n}`)
      await page.getByRole('button', { name: t.invite, exact: true }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel(words.email).fill(`ahmad${n}.1@example.com`)
      const looking = await holdCalls(page, '**/api/users/resolve')
      await dialog.getByLabel(words.username).focus()
      await looking.began
      await dialog.getByLabel(words.username).fill(`ahmad${n}.0`)
      const answered = page.waitForResponse('**/api/users/resolve')
      looking.release()
      await answered
      await dialog.getByLabel(words.nameEn).focus()
      await dialog.getByText(words.proposed(`ahmad${n}.0`, `ahmad${n}.02`)).waitFor()
      assert.equal(await dialog.getByLabel(words.username).inputValue(), `ahmad${n}.0`)
    })

    slowTest(
      titled('people who are invited after all found ones were chosen neither join a group with them nor are deactivated unseen'),
      async () => {
        const { page, open, t, n, group, ids } = await setUp(pair)
        const other = (await portal.admin.post('/groups', { name: `others${n}` })).body.id
        const late = (place: number) => portal.person(`late${n}.${place}`, { groupIds: [group] })
        const chooseAll = async (count: number) => {
          await page.getByText(t.found(count), { exact: true }).waitFor()
          await rows(page).first().focus()
          for (const key of ['x', 'ArrowDown', 'x']) await page.keyboard.press(key)
          await page.getByRole('button', { name: choosing[language].chooseAll(`${count}`) }).click()
        }
        await open(`group=${group}`)
        await chooseAll(3)
        const read = page.waitForResponse(/users\?.*limit=500/)
        await page.getByRole('button', { name: t.manyToGroup }).click()
        await read
        await late(1)
        await takeFirst(page.getByRole('combobox', { name: t.group }), `others${n}`)
        await page.getByText(t.joined(`others${n}`)(3)).waitFor()
        assert.deepEqual((await portal.admin.get(`/groups/${other}`)).body.userIds.toSorted(), ids.toSorted())

        await chooseAll(4)
        // The list does not learn of the next person.
        await page.route(/users\?.*limit=100/, () => {})
        await late(2)
        await page.getByRole('button', { name: t.deactivateMany(4), exact: true }).click()
        await page.getByText(t.grown(t.people(5))).waitFor()
        assert.equal((await portal.admin.get(`/users?groupId=${group}&status=active`)).body.length, 4)
      },
    )

    slowTest(titled('a link to hand over shows even if its dialog was closed before it arrived'), async () => {
      const { page, open, t, n, ids } = await setUp(pair)
      const [words, { link }] = [inviting[language], acting[language]]
      await open(`q=ahmad${n}`)
      await page.getByRole('button', { name: t.invite, exact: true }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel(words.email).fill(`hasty${n}@example.com`)
      await dialog.getByLabel(words.username).fill(`hasty${n}`)
      const invitation = await holdCalls(page, '**/api/users')
      await dialog.getByRole('button', { name: words.send, exact: true }).click()
      await invitation.began
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
      invitation.release()
      assert.match(await dialog.getByLabel(words.link, { exact: true }).inputValue(), /reset-password\?token=/)
      await dialog.getByRole('button', { name: words.another, exact: true }).click()
      await dialog.getByLabel(words.email).waitFor()

      await page.goto(`/admin/users/${ids[0]}`)
      const issuing = await holdCalls(page, '**/issue-reset-link')
      await page.getByRole('button', { name: ofUser[language].link, exact: true }).click()
      await dialog.getByRole('button', { name: link.issue, exact: true }).click()
      await issuing.began
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
      issuing.release()
      assert.match(await dialog.getByLabel(link.link, { exact: true }).inputValue(), /reset-password\?token=/)
      await dialog.getByRole('button', { name: link.done, exact: true }).click()
      await dialog.waitFor({ state: 'detached' })
    })

    slowTest(
      titled('deactivating 300 found people shows the effect first and lists a refused person, and undo activates all other people'),
      async () => {
        const { page, open, t, n, boss, group } = await setUp(pair)
        await portal.admin.post(`/groups/${group}/users`, { userId: boss.id })
        const items = Array.from({ length: 297 }, (_, one) => {
          const username = `crowd${n}.${one}`
          return { username, email: `${username}@example.org`, invite: true, groupIds: [group] }
        })
        assert.equal((await portal.admin.post('/users/bulk', { items })).body.doneIds.length, 297)
        await open(`group=${group}&status=active`)
        await page.getByText(t.found(300)).waitFor()
        await rows(page).first().focus()
        await page.keyboard.press('x')
        await page.getByText(t.off(1, 0)).waitFor()
        await page.keyboard.press('Control+a')
        await page.getByRole('button', { name: choosing[language].chooseAll('300') }).click()
        await page.getByText(t.offAny).waitFor()
        assert.deepEqual(await findings(page), [])
        await page.getByRole('button', { name: t.deactivateMany(300), exact: true }).click()
        await page
          .locator('.users-refused')
          .getByText(language === 'ar' ? 'عمر' : 'Omar')
          .waitFor()
        await page.getByText(t.deactivated(299), { exact: true }).waitFor()
        const activeIn = async () => (await portal.admin.get(`/users?groupId=${group}&status=active`)).body.length
        assert.equal(await activeIn(), 1)
        await page.keyboard.press('Control+z')
        await page.getByText(t.activated(299), { exact: true }).waitFor()
        assert.equal(await activeIn(), 300)
      },
    )

    slowTest(
      titled('deleting an account with orders requires its name, offers deactivation instead, and appears in the audit log'),
      async () => {
        const { page, open, t, n, ids } = await setUp(pair)
        const words = acting[language]
        const { body: service } = await portal.admin.post('/services', { nameAr: 'قهوة', nameEn: 'Coffee' })
        const name = language === 'ar' ? 'ليلى' : 'Layla'
        const owner = await portal.person(`owner${n}`, named('ليلى', 'Layla'))
        await owner.post('/orders', { serviceId: service.id })
        if (size === 'phone') await page.setViewportSize({ width: 900, height: 900 })
        await open(`q=owner${n}`)
        await page.getByRole('button', { name: t.actsOn(name) }).click()
        await page.getByRole('menuitem', { name: t.remove }).click()
        const dialog = page.getByRole('dialog')
        await dialog.getByRole('heading', { name: words.remove.losing(name, [words.remove.orders(1)]) }).waitFor()
        await dialog.getByText(language === 'ar' ? 'قهوة' : 'Coffee').waitFor()
        await dialog.getByRole('button', { name: words.deactivate.yes, exact: true }).waitFor()
        assert.deepEqual(await findings(page), [])
        const force = dialog.getByRole('button', { name: words.remove.force })
        assert.equal(await force.isDisabled(), true)
        await dialog.getByRole('textbox').fill(`owner${n}`)
        await force.click()
        await page.getByText(words.remove.done(name)).waitFor()
        assert.equal((await portal.admin.get(`/users/${owner.id}`)).status, 404)
        await page.goto(`/admin/users/${owner.id}`)
        await page.getByRole('link', { name: ofDesk[language].whatHappened }).click()
        await page.locator('.log-entry').filter({ hasText: name }).first().waitFor()
        assert.equal((await portal.admin.get(`/users/${ids[0]}`)).status, 200)
      },
    )
  }
})
