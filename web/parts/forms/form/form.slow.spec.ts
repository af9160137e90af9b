/** A form for a record that several people change: keys, merging, drafts, and errors from the portal. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { browser, findings, journeys, languages } from '../../../testing/browser.ts'
import { nowhere, staged } from '../../../testing/parts.ts'
import { both } from './texts.ts'

/** The record on the portal, which a test can change without the page. */
interface Group {
  name: string
  text: string
  ids: number[]
}
interface Portal {
  record: Group
  version: number
  /** The refusal of the next save. */
  refusal?: { code: 'name_taken'; messageAr: string; messageEn: string }
  /** The label of the button, if the form previews consequences. */
  said?: string
  isOpen: { value: boolean }
  show: () => void
}
declare global {
  interface Window {
    portal: Portal
  }
}

journeys(() => {
  const { visit } = browser(nowhere)
  const open = staged(visit)

  async function drawn(language: 'ar' | 'en', { draft, isForeseen = false }: { draft?: string; isForeseen?: boolean } = {}) {
    const opened = await open(language)
    const draw = () =>
      opened.page.evaluate(
        ({ draft, isForeseen }) => {
          const { h, render, signal, useForm, Form, Save, ChangedMeanwhile, TextField, TextArea, Toasts, Refusal } = window.stage
          const shown = signal({ record: { name: 'finance', text: 'Budget', ids: [1, 2] } as Group, version: 1 })
          const portal: Portal = {
            record: shown.value.record,
            version: 1,
            isOpen: signal(true),
            show: () => (shown.value = { record: portal.record, version: portal.version }),
          }
          window.portal = portal
          const now = () => ({ from: portal.record, version: `"${portal.version}"` })
          function Editor() {
            const { record, version } = shown.value
            const form = useForm<Group>({
              from: record,
              version: `"${version}"`,
              draft,
              canUndo: true,
              fieldOf: { name_taken: 'name' },
              by: async () => 'Salma',
              reread: async () => now(),
              foreseen: isForeseen ? { said: () => 'nobody', of: async () => portal.said ?? 'nobody' } : undefined,
              async save(changed, version) {
                window.calls.push([changed, version])
                const { refusal } = portal
                delete portal.refusal
                if (refusal) throw new Refusal(409, refusal)
                if (version !== `"${portal.version}"`) throw new Refusal(412, { code: 'changed_meanwhile' })
                portal.record = { ...portal.record, ...changed }
                portal.version++
                return now()
              },
            })
            const labels = { name: 'Name', text: 'Text' }
            return h(Form<Group>, {
              of: form,
              children: [
                h(TextField, { key: 1, label: 'Name', required: true, ...form.text('name') }),
                h(TextArea, { key: 2, label: 'Text', ...form.text('text') }),
                h('button', { key: 3, type: 'button', onClick: () => form.set('ids', [...form.values.ids, 3]) }, 'add 3'),
                h(ChangedMeanwhile<Group>, { key: 4, of: form, labels }),
                h(Save<Group>, { key: 5, of: form }),
              ],
            })
          }
          const Page = () => [portal.isOpen.value && h(Editor, { key: 1 }), h(Toasts, { key: 2 })]
          render(h(Page, null), document.getElementById('root')!)
        },
        { draft, isForeseen },
      )
    await draw()
    const { page } = opened
    return {
      ...opened,
      draw,
      name: page.getByLabel('Name', { exact: true }),
      text: page.getByLabel('Text', { exact: true }),
      /** Salma saves a change; with `isShown` the page learns of it at once. */
      elsewhere: (change: Partial<Group>, isShown = false) =>
        page.evaluate(
          ([change, isShown]) => {
            window.portal.record = { ...window.portal.record, ...change }
            window.portal.version++
            if (isShown) window.portal.show()
          },
          [change, isShown] as const,
        ),
      record: () => page.evaluate(() => window.portal.record),
    }
  }

  for (const language of languages) {
    const t = both[language]

    test(`Ctrl S sends only the changes with the version they were based on, and the toast undoes them (${language})`, async () => {
      const { page, calls, name, record } = await drawn(language)
      await name.fill('money')
      await page.keyboard.press('Control+s')
      await page.getByText(t.saved, { exact: true }).waitFor()
      assert.deepEqual(await calls(), [[{ name: 'money' }, '"1"']])
      await page.locator('.toast button').first().click()
      await page.getByText(t.takenBack).waitFor()
      assert.deepEqual(await findings(page), [])
      assert.deepEqual((await calls()).at(-1), [{ name: 'finance' }, '"2"'])
      assert.deepEqual([(await record()).name, await name.inputValue()], ['finance', 'finance'])
    })

    test(`the first invalid field gets the focus, whether the page or the portal rejects it (${language})`, async () => {
      const { page, calls, name, text } = await drawn(language)
      await name.fill('')
      await text.press('Control+Enter')
      await page.waitForFunction(() => document.activeElement?.getAttribute('name') === 'name')
      assert.deepEqual(await calls(), [])
      await name.fill('taken')
      await page.evaluate(() => {
        window.portal.refusal = { code: 'name_taken', messageAr: 'taken', messageEn: 'taken' }
      })
      await text.press('Control+Enter')
      await page.getByRole('alert').filter({ hasText: 'taken' }).waitFor()
      await page.waitForFunction(() => document.activeElement?.getAttribute('name') === 'name')
      assert.equal(await page.getByRole('alert').filter({ hasText: 'taken' }).count(), 1)
      assert.deepEqual(await findings(page), [])
    })

    test(`changes to different fields are merged and saved together (${language})`, async () => {
      const { page, calls, name, record, elsewhere } = await drawn(language)
      await name.fill('money')
      await page.getByText('add 3').click()
      await elsewhere({ text: 'by Salma', ids: [2, 5] })
      await page.keyboard.press('Control+s')
      await page.getByText(t.savedTogether('Salma')).waitFor()
      assert.deepEqual(await record(), { name: 'money', text: 'by Salma', ids: [2, 3, 5] })
      assert.deepEqual(
        (await calls()).map((one) => (one as unknown[])[1]),
        ['"1"', '"2"'],
      )
    })

    test(`a merge whose consequences differ from those on the button is saved only after another press (${language})`, async () => {
      const { page, calls, name, elsewhere } = await drawn(language, { isForeseen: true })
      await name.fill('money')
      await elsewhere({ text: 'by Salma' })
      await page.evaluate(() => {
        window.portal.said = 'three lose'
      })
      await page.keyboard.press('Control+s')
      await page.waitForFunction(() => window.calls.length === 1 && !document.querySelector('[aria-busy=true]'))
      await page.keyboard.press('Control+s')
      await page.getByText(t.saved, { exact: true }).waitFor()
      assert.deepEqual(
        (await calls()).map((one) => (one as unknown[])[1]),
        ['"1"', '"2"'],
      )
    })

    test(`a field that two people changed shows both texts, and cannot be saved before a choice (${language})`, async () => {
      const { page, calls, text, record, elsewhere } = await drawn(language)
      await text.fill('Budget and payroll')
      await elsewhere({ text: 'Budget on the third floor' })
      await page.getByRole('button', { name: t.save, exact: true }).click()
      await page.getByRole('heading', { name: t.changedBy('\u2068Salma\u2069') }).waitFor()
      assert.deepEqual(await findings(page), [])
      const save = page.getByRole('button', { name: t.chooseFirst })
      assert.ok(await save.isDisabled())
      await page.keyboard.press('Control+s')
      assert.equal((await calls()).length, 1)
      await page.getByRole('button', { name: t.takeTheirs('\u2068Salma\u2069') }).press('Enter')
      assert.equal(await text.inputValue(), 'Budget on the third floor')
      await page.getByRole('button', { name: t.takeMine }).press('Enter')
      assert.equal(await text.inputValue(), 'Budget and payroll')
      await page.getByRole('button', { name: t.writeOther }).press('Enter')
      await page.waitForFunction(() => document.activeElement?.matches('.changed textarea'))
      await page.keyboard.press('Control+a')
      await page.keyboard.type('Budget, payroll, third floor')
      await page.keyboard.press('Control+s')
      await page.getByText(t.saved, { exact: true }).waitFor()
      assert.equal((await record()).text, 'Budget, payroll, third floor')
      assert.equal(await page.locator('.changed').count(), 0)
    })

    test(`another person’s change that arrives during typing is merged at once, and an overlap is shown (${language})`, async () => {
      const { page, name, text, elsewhere } = await drawn(language)
      await name.fill('money')
      await elsewhere({ text: 'by Salma' }, true)
      await page.waitForFunction(() => document.querySelector('textarea')!.value === 'by Salma')
      assert.equal(await name.inputValue(), 'money')
      await elsewhere({ name: 'treasury' }, true)
      await page.getByRole('button', { name: t.chooseFirst }).waitFor()
      // A change to another field does not settle the overlap.
      await elsewhere({ text: 'again' }, true)
      await page.waitForFunction(() => document.querySelector('textarea')!.value === 'again')
      assert.ok(await page.getByRole('button', { name: t.chooseFirst }).isDisabled())
      await text.fill('mine')
      await page.getByRole('button', { name: t.takeTheirs('\u2068Salma\u2069') }).click()
      assert.equal(await name.inputValue(), 'treasury')
      await page.getByRole('button', { name: t.save, exact: true }).waitFor()
    })

    test(`a draft returns after the page was closed, merged with later changes, until it is discarded (${language})`, async () => {
      const { page, name, draw } = await drawn(language, { draft: 'group:7' })
      await name.fill('money')
      await page.waitForFunction(
        () =>
          new Promise((resolve) => {
            const request = indexedDB.open('bawaba', 1)
            request.onsuccess = () => {
              const all = request.result.transaction('kept').objectStore('kept').getAllKeys()
              all.onsuccess = () => {
                request.result.close()
                resolve(all.result.length > 0)
              }
            }
          }),
      )
      const here = page.url()
      await page.evaluate(() => {
        window.stage.go('/elsewhere')
        window.portal.isOpen.value = false
      })
      await page.getByText(t.unsavedKept).waitFor()
      await page.goto(here)
      await page.waitForFunction(() => 'stage' in window)
      await page.evaluate(() => Object.assign(window, { calls: [] }))
      await draw()
      await page.getByText(t.restored).waitFor()
      assert.equal(await name.inputValue(), 'money')
      assert.deepEqual(await findings(page), [])
      await page.getByRole('button', { name: t.discard }).click()
      assert.equal(await name.inputValue(), 'finance')
    })

    test(`leaving the page asks for confirmation if the form has no draft (${language})`, async () => {
      const { page, name } = await drawn(language)
      await page.evaluate(() => history.pushState(null, '', '/other'))
      // Types and goes back in one task, so that the navigation begins before the page has rendered the typed text.
      await name.evaluate((field: HTMLInputElement) => {
        field.value = 'money'
        field.dispatchEvent(new InputEvent('input', { bubbles: true }))
        history.back()
      })
      const stay = page.getByRole('button', { name: t.stay })
      await stay.waitFor()
      assert.deepEqual(await findings(page), [])
      await stay.click()
      assert.equal(new URL(page.url()).pathname, '/other')
      await page.evaluate(() => history.back())
      await page.getByRole('button', { name: t.go }).click()
      await page.waitForURL('**/')
    })
  }
})
