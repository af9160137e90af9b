/** The dependents of a record: the records that are deleted with it. */
import '../../../testing/document.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { browser, findings, journeys, languages } from '../../../testing/browser.ts'
import { nowhere, staged } from '../../../testing/parts.ts'
import { both } from './texts.ts'

journeys(() => {
  const { visit } = browser(nowhere)
  const open = staged(visit)

  for (const language of languages) {
    const t = both[language]

    test(`a deletion lists its dependents, asks for the name, and opens an audited list only on a press (${language})`, async () => {
      const { page, calls } = await open(language)
      await page.evaluate(() => {
        const { h, render, Dependents } = window.stage
        const list = (name: string) => () => {
          window.calls.push(name)
          return name
        }
        const dialog = h(Dependents<string>, {
          title: 'Deleting Dana',
          kinds: [
            { key: 'orders', text: 'Orders', count: 4, list: list('orders') },
            { key: 'groups', text: 'Groups', count: 0, list: list('groups') },
            { key: 'notes', text: 'Notes', count: 12, isAudited: true, list: list('notes') },
          ],
          instead: [{ text: 'Deactivate', hint: 'She cannot sign in', run: () => window.calls.push('instead') }],
          name: 'dana',
          button: 'Delete Dana and hers',
          remove: async () => window.calls.push('removed'),
          done: () => window.calls.push('done'),
          close: () => window.calls.push('closed'),
        })
        render(dialog, document.getElementById('root')!)
      })
      assert.equal(await page.getByRole('tab').count(), 2)
      assert.deepEqual(await findings(page), [])
      await page.getByRole('tab', { name: 'Notes' }).click()
      await page.getByText(t.audited).waitFor()
      assert.ok(!(await calls()).includes('notes'))
      await page.getByRole('button', { name: t.openList }).click()
      assert.ok((await calls()).includes('notes'))
      const button = page.getByRole('button', { name: 'Delete Dana and hers' })
      assert.ok(await button.isDisabled())
      await page.getByLabel(t.typeName('\u2068dana\u2069')).fill('dana ')
      await button.click()
      await page.waitForFunction(() => window.calls.includes('done'))
      assert.ok((await calls()).includes('closed'))
    })

    test(`a deletion that ends after its dialog was closed leaves other dialogs open, and people where they are (${language})`, async () => {
      const { page, calls } = await open(language)
      await page.evaluate(() => {
        const { h, render, go, path, Dependents } = window.stage
        const root = document.getElementById('root')!
        const dialog = h(Dependents<string>, {
          title: 'Deleting Dana',
          kinds: [],
          button: 'Delete',
          remove: async () => {
            render(null, root)
            go('/elsewhere')
          },
          done: (goOn) => {
            goOn('/list')
            window.calls.push(path.value)
          },
          close: () => window.calls.push('closed'),
        })
        render(dialog, root)
      })
      await page.getByRole('button', { name: 'Delete', exact: true }).click()
      await page.waitForFunction(() => window.calls.length > 0)
      assert.deepEqual(await calls(), ['/elsewhere'])
    })
  }
})
