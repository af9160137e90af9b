/** The audit stream, as administrators see it. */
import '../../testing/document.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { fileCollector } from '../../../test/collector.ts'
import { until } from '../../../test/portal.ts'
import { browser, findings, foreignTexts, journeys, pairs, portalWithPages, tooWide } from '../../testing/browser.ts'
import { both } from './audit-stream/texts.ts'
import { both as system } from './system/texts.ts'

const collector = await fileCollector()
const portal = portalWithPages(collector.env)
const known = /localhost:\d+|HTTPS|source|SECRETS_KEY|VAPID|SMTP|AUDIT_STREAM\w*|TLS|syslog|watcher\S*|\d+/

journeys(() => {
  const { visitAs } = browser(portal)
  let admins = 0

  for (const pair of pairs) {
    const { language, size } = pair
    const t = both[language]
    const isFine = async (page: Page) => {
      assert.deepEqual(await findings(page), [])
      assert.deepEqual(await foreignTexts(page, language, known), [])
      assert.deepEqual(await tooWide(page), [])
    }

    test(`the page follows the audit stream as it works, fails, and works again (${language}, ${size})`, async () => {
      const { username } = await portal.person(`watcher-${admins++}`, { roles: ['admin'], displayNameAr: 'سلمى', displayNameEn: 'Salma' })
      await until('all is sent', async () => (await portal.admin.get('/admin/audit-stream')).body.behind === 0)
      const { page } = await visitAs(username, pair)
      await page.goto('/admin/audit-stream')
      await page.getByText(t.states.working, { exact: true }).waitFor()

      collector.answers = (_got, reply) => reply.writeHead(401).end()
      await portal.person(`watched-${admins}`)
      await page.getByText(t.statuses.auth).waitFor()
      await page.getByText(t.states.failing, { exact: true }).waitFor()
      await isFine(page)
      await page.goto('/admin/system')
      const toStream = page.getByRole('link', { name: system[language].toStream, exact: true })
      await toStream.waitFor()
      await page.getByText(system[language].streamStates.failing, { exact: true }).waitFor()
      await isFine(page)
      await toStream.click()
      await page.waitForURL(/audit-stream$/)

      collector.answers = (_got, reply) => reply.writeHead(200).end()
      await page.getByText(t.states.working, { exact: true }).waitFor()
      await isFine(page)
    })
  }
})
