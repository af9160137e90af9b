/** A form on a record that others change, too: by keys, in both languages, with what the portal says of it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { browser, findings, journeys, languages } from '../../testing/browser.ts'
import { nowhere, staged } from '../../testing/parts.ts'
import { both } from './texts.ts'

/** The record as the portal has it, which a test may change behind the page's back. */
interface Group {
  name: string
  text: string
  ids: number[]
}
interface Scene {
  record: Group
  version: number
  /** What is sent next is refused with this body. */
  refusal?: { code: 'name_taken'; messageAr: string; messageEn: string }
  /** The sentence of what saving does, where it depends on the values. */
  said?: string
  isOpen: { value: boolean }
  show: () => void
}
declare global {
  interface Window {
    scene: Scene
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
          const scene: Scene = {
            record: shown.value.record,
            version: 1,
            isOpen: signal(true),
            show: () => (shown.value = { record: scene.record, version: scene.version }),
          }
          window.scene = scene
          const now = () => ({ from: scene.record, version: `"${scene.version}"` })
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
              foreseen: isForeseen ? { said: () => 'nobody', of: async () => scene.said ?? 'nobody' } : undefined,
              async save(changed, version) {
                window.heard.push([changed, version])
                const { refusal } = scene
                delete scene.refusal
                if (refusal) throw new Refusal(409, refusal)
                if (version !== `"${scene.version}"`) throw new Refusal(412, { code: 'changed_meanwhile' })
                scene.record = { ...scene.record, ...changed }
                scene.version++
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
          const Page = () => [scene.isOpen.value && h(Editor, { key: 1 }), h(Toasts, { key: 2 })]
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
      /** Salma saves something else; `isHeard`: and the page reads it at once. */
      elsewhere: (change: Partial<Group>, isHeard = false) =>
        page.evaluate(
          ([change, isHeard]) => {
            window.scene.record = { ...window.scene.record, ...change }
            window.scene.version++
            if (isHeard) window.scene.show()
          },
          [change, isHeard] as const,
        ),
      record: () => page.evaluate(() => window.scene.record),
    }
  }

  for (const language of languages) {
    const t = both[language]

    test(`Ctrl S sends only what was changed, with the version it was opened with, and the toast puts it back (${language})`, async () => {
      const { page, heard, name, record } = await drawn(language)
      await name.fill('money')
      await page.keyboard.press('Control+s')
      await page.getByText(t.saved, { exact: true }).waitFor()
      assert.deepEqual(await heard(), [[{ name: 'money' }, '"1"']])
      assert.deepEqual(await findings(page), [])
      await page.locator('.toast button').first().click()
      await page.getByText(t.takenBack).waitFor()
      assert.deepEqual((await heard()).at(-1), [{ name: 'finance' }, '"2"'])
      assert.deepEqual([(await record()).name, await name.inputValue()], ['finance', 'finance'])
    })

    test(`the first field that is wrong has the focus, whether the page or the portal says so (${language})`, async () => {
      const { page, heard, name, text } = await drawn(language)
      await name.fill('')
      await text.press('Control+Enter')
      await page.waitForFunction(() => document.activeElement?.getAttribute('name') === 'name')
      assert.deepEqual(await heard(), [])
      await name.fill('taken')
      await page.evaluate(() => {
        window.scene.refusal = { code: 'name_taken', messageAr: 'taken', messageEn: 'taken' }
      })
      await text.press('Control+Enter')
      await page.getByRole('alert').filter({ hasText: 'taken' }).waitFor()
      await page.waitForFunction(() => document.activeElement?.getAttribute('name') === 'name')
      assert.equal(await page.getByRole('alert').filter({ hasText: 'taken' }).count(), 1)
      assert.deepEqual(await findings(page), [])
    })

    test(`fields that do not overlap are merged and saved together (${language})`, async () => {
      const { page, heard, name, record, elsewhere } = await drawn(language)
      await name.fill('money')
      await page.getByText('add 3').click()
      await elsewhere({ text: 'by Salma', ids: [2, 5] })
      await page.keyboard.press('Control+s')
      await page.getByText(t.savedTogether('Salma')).waitFor()
      assert.deepEqual(await record(), { name: 'money', text: 'by Salma', ids: [2, 3, 5] })
      assert.deepEqual(
        (await heard()).map((one) => (one as unknown[])[1]),
        ['"1"', '"2"'],
      )
    })

    test(`a merge that does something else than the button said waits for another press (${language})`, async () => {
      const { page, heard, name, elsewhere } = await drawn(language, { isForeseen: true })
      await name.fill('money')
      await elsewhere({ text: 'by Salma' })
      await page.evaluate(() => {
        window.scene.said = 'three lose'
      })
      await page.keyboard.press('Control+s')
      await page.waitForFunction(() => window.heard.length === 1 && !document.querySelector('[aria-busy=true]'))
      await page.keyboard.press('Control+s')
      await page.getByText(t.saved, { exact: true }).waitFor()
      assert.deepEqual(
        (await heard()).map((one) => (one as unknown[])[1]),
        ['"1"', '"2"'],
      )
    })

    test(`of a field that both changed both texts are shown, and nothing is saved before one is chosen (${language})`, async () => {
      const { page, heard, text, record, elsewhere } = await drawn(language)
      await text.fill('Budget and payroll')
      await elsewhere({ text: 'Budget on the third floor' })
      await page.getByRole('button', { name: t.save, exact: true }).click()
      await page.getByRole('heading', { name: t.changedBy('\u2068Salma\u2069') }).waitFor()
      assert.deepEqual(await findings(page), [])
      const save = page.getByRole('button', { name: t.chooseFirst })
      assert.ok(await save.isDisabled())
      await page.keyboard.press('Control+s')
      assert.equal((await heard()).length, 1)
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

    test(`a change that arrives while one types is taken over at once, and said where it overlaps (${language})`, async () => {
      const { page, name, text, elsewhere } = await drawn(language)
      await name.fill('money')
      await elsewhere({ text: 'by Salma' }, true)
      await page.waitForFunction(() => document.querySelector('textarea')!.value === 'by Salma')
      assert.equal(await name.inputValue(), 'money')
      await elsewhere({ name: 'treasury' }, true)
      await page.getByRole('button', { name: t.chooseFirst }).waitFor()
      // What is changed besides does not settle it.
      await elsewhere({ text: 'again' }, true)
      await page.waitForFunction(() => document.querySelector('textarea')!.value === 'again')
      assert.ok(await page.getByRole('button', { name: t.chooseFirst }).isDisabled())
      await text.fill('mine')
      await page.getByRole('button', { name: t.takeTheirs('\u2068Salma\u2069') }).click()
      assert.equal(await name.inputValue(), 'treasury')
      await page.getByRole('button', { name: t.save, exact: true }).waitFor()
    })

    test(`what was typed is there again after the page was closed, merged with what changed since, until it is discarded (${language})`, async () => {
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
        window.scene.isOpen.value = false
      })
      await page.getByText(t.unsavedKept).waitFor()
      await page.goto(here)
      await page.waitForFunction(() => 'stage' in window)
      await page.evaluate(() => Object.assign(window, { heard: [] }))
      await draw()
      await page.getByText(t.restored).waitFor()
      assert.equal(await name.inputValue(), 'money')
      assert.deepEqual(await findings(page), [])
      await page.getByRole('button', { name: t.discard }).click()
      assert.equal(await name.inputValue(), 'finance')
    })

    test(`what the device does not keep is asked about before the page is left (${language})`, async () => {
      const { page, name } = await drawn(language)
      await page.evaluate(() => history.pushState(null, '', '/other'))
      // In one turn: the page is not drawn with what was typed before somebody leaves it.
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
