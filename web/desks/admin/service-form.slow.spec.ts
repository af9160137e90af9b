/** The editor of a service's form: by keyboard, with concurrent changes of two administrators, and with options that are sold out. */
import '../../testing/document.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makers } from '../../../test/makers.ts'
import { both as ofAnswers } from '../../parts/forms/answers/texts.ts'
import { both as forms } from '../../parts/forms/form/texts.ts'
import { both as ofOrder } from '../../parts/lists/ordered/texts.ts'
import { both as ofNotice } from '../../parts/show/service-notice/texts.ts'
import { browser, findings, foreignTexts, journeys, pairs, portalWithPages, tooWide } from '../../testing/browser.ts'
import { both } from './service-form/texts.ts'
import { both as ofServices } from './services/handling-texts.ts'
import { both as ofConditions } from './shared/conditions/texts.ts'

const portal = portalWithPages()
const { newService } = makers(portal)
/** Texts of the tests that may appear in either language. */
const known = /Amount|Reason|Drink|Tea|Coffee|Milk|Sugar|المبلغ|السبب|Bawaba|admin-\d+|English|العربية|Enter|Escape/

journeys(() => {
  const { visitAs } = browser(portal)
  let admins = 0

  for (const pair of pairs) {
    const { language, size } = pair
    const [t, f, o, n, s] = [both[language], forms[language], ofOrder[language], ofNotice[language], ofServices[language]]
    const [answers, c] = [ofAnswers[language], ofConditions[language]]
    const titled = (title: string) => `${title} (${language}, ${size})`
    const pick = (ar: string, en: string) => (language === 'ar' ? ar : en)
    /** Opens an address of the administration as a new administrator. */
    async function at(path: string) {
      const { username } = await portal.person(`admin-${admins++}`, { roles: ['admin'] })
      const opened = await visitAs(username, pair)
      await opened.page.goto(path)
      await opened.page.getByRole('heading', { level: 1 }).first().waitFor()
      return opened
    }
    const read = async (id: number) => (await portal.admin.get(`/services/${id}/form`)).body
    const put = async (id: number, fields: object[]) => {
      const answer = await portal.admin.put(`/services/${id}/form`, { fields })
      assert.equal(answer.status, 200, answer.text)
    }
    const drink = {
      key: 'drink',
      kind: 'choice',
      labelAr: 'الشراب',
      labelEn: 'Drink',
      options: [
        { key: 'tea', ar: 'شاي', en: 'Tea' },
        { key: 'milk', ar: 'حليب', en: 'Milk' },
      ],
    }
    const sugar = {
      key: 'sugar',
      kind: 'yes_no',
      labelAr: 'بسكر؟',
      labelEn: 'Sugar?',
      when: [{ field: 'drink', op: 'any', value: ['tea'] }],
    }

    test(titled('a form with a condition is built and saved by keyboard alone, and seen in both languages'), async () => {
      const { id } = await newService()
      const { page } = await at(`/admin/services/${id}/form`)
      const press = (...keys: string[]) => keys.reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve())
      const isFocused = (name: string) => page.locator(':focus').and(page.getByLabel(name)).waitFor()
      await page.getByText(t.empty).waitFor()
      assert.deepEqual(await findings(page), [])
      const add = async (steps: number, ar: string, en: string) => {
        await page.getByRole('button', { name: t.add }).focus()
        await press('Enter')
        await page.getByRole('dialog').waitFor()
        await page.getByRole('radio').first().focus()
        for (let step = 0; step < steps; step++) await press('ArrowDown')
        await press('Tab')
        await page.keyboard.type(pick(ar, en))
        await press('Tab')
        await page.keyboard.type(pick(en, ar))
        await press('Enter')
        await page.getByRole('dialog').waitFor({ state: 'detached' })
      }
      await add(2, 'المبلغ', 'Amount')
      await isFocused(pick(t.labelAr, t.labelEn))
      await add(0, 'السبب', 'Reason')
      await isFocused(pick(t.labelAr, t.labelEn))
      const more = page.locator('details > summary').filter({ hasText: t.more })
      await more.focus()
      await press('Enter')
      await page.getByRole('button', { name: c.addCondition }).focus()
      await press('Enter')
      await isFocused(c.fieldRead)
      assert.deepEqual(await findings(page), [])
      await press('Tab', 'Tab', 'Control+a')
      await page.keyboard.type('١٠٠')
      assert.deepEqual(await foreignTexts(page, language, known), [])
      await press('Control+s')
      await page.getByText(t.saved).waitFor()
      const { version, fields } = await read(id)
      assert.deepEqual(
        [version, ...fields.map(({ key, kind, when }: { key: string; kind: string; when: object[] }) => [key, kind, when])],
        [1, ['amount', 'number', []], ['reason', 'text', [{ field: 'amount', op: 'atLeast', value: 100 }]]],
      )
      // In the preview, the condition shows and hides the field.
      if (size === 'phone') await page.getByRole('tab', { name: t.preview }).click()
      const preview = page.getByRole('region', { name: t.preview })
      await preview.getByRole('button', { name: t.inEnglish }).click()
      await preview.getByLabel('Amount').fill('99')
      assert.equal(await preview.getByLabel('Reason').count(), 0)
      await preview.getByLabel('Amount').fill('100')
      await preview.getByLabel('Reason').waitFor()
      await preview.getByRole('button', { name: t.inArabic }).click()
      await preview.getByLabel('السبب').waitFor()
      await preview.getByLabel('المبلغ').fill('كثير')
      await preview.getByRole('button', { name: t.try }).click()
      await preview
        .getByRole('status')
        .filter({ hasText: t.refused(1) })
        .waitFor()
      assert.deepEqual(await findings(page), [])
      assert.deepEqual(await tooWide(page), [])
    })

    test(titled('fields are moved by keyboard, and the page reports a condition that now reads a field below its own'), async () => {
      const { id } = await newService()
      await put(id, [drink, sugar])
      const { page } = await at(`/admin/services/${id}/form`)
      const name = `\u2068${pick('بسكر؟', 'Sugar?')}\u2069`
      await page.getByRole('button', { name: o.move(name) }).focus()
      await page.keyboard.press('Alt+ArrowUp')
      await page.getByRole('button', { name: t.dropConditions }).waitFor()
      assert.deepEqual(await findings(page), [])
      await page.keyboard.press('Control+s')
      await page.getByText(t.wrongCount(1)).waitFor()
      await page.getByRole('button', { name: t.dropConditions }).click()
      await page.keyboard.press('Control+s')
      await page.getByText(t.saved).waitFor()
      const { fields } = await read(id)
      assert.deepEqual(
        fields.map(({ key, when }: { key: string; when: object[] }) => [key, when.length]),
        [
          ['sugar', 0],
          ['drink', 0],
        ],
      )
    })

    test(titled('a pasted list fills the options, and deleting an option names the field that no longer depends on it'), async () => {
      const { id } = await newService()
      await put(id, [drink, sugar])
      const { page } = await at(`/admin/services/${id}/form`)
      await page.locator('[data-key="drink"] .service-form-head').click()
      await page.getByRole('button', { name: t.addOption }).click()
      await page.getByLabel(t.optionEn('3')).evaluate((field) => {
        const clipboardData = new DataTransfer()
        clipboardData.setData('text', 'Coffee\nWater')
        field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
      })
      await page.getByLabel(t.optionEn('4')).waitFor()
      assert.equal(await page.getByLabel(t.optionEn('4')).inputValue(), 'Water')
      await page.getByRole('button', { name: t.remove(`\u2068${pick('شاي', 'Tea')}\u2069`) }).click()
      await page.getByText(t.nowAlways(`\u2068${t.quoted(pick('بسكر؟', 'Sugar?'))}\u2069`)).waitFor()
      assert.deepEqual(await findings(page), [])
      await page.keyboard.press('Control+s')
      await page.getByText(t.saved).waitFor()
      assert.deepEqual(await tooWide(page), [])
      const { fields } = await read(id)
      assert.deepEqual([fields[0].options.map(({ key }: { key: string }) => key), fields[1].when], [['milk', 'coffee', 'water'], []])
    })

    test(titled('a key that had a different kind in an earlier version is refused with a reason, and a free key is offered'), async () => {
      const { id } = await newService()
      await put(id, [{ key: 'amount', kind: 'text', labelEn: 'Amount' }])
      await put(id, [])
      const { page } = await at(`/admin/services/${id}/form`)
      await page.getByRole('button', { name: t.add }).click()
      await page.getByRole('radio', { name: t.kinds.number }).check({ force: true })
      await page.getByRole('dialog').getByLabel(t.labelEn).fill('Amount')
      await page.getByRole('button', { name: t.addIt }).click()
      await page.keyboard.press('Control+s')
      await page.getByText(t.kindFixed('\u2068amount\u2069')).waitFor()
      assert.deepEqual(await findings(page), [])
      await page.getByRole('button', { name: t.otherKey('\u2068amount_2\u2069') }).click()
      await page.keyboard.press('Control+s')
      await page.getByText(t.saved).waitFor()
      assert.equal((await read(id)).fields[0].key, 'amount_2')
    })

    test(titled('a concurrent change of another administrator is not overwritten without asking, and no typed text is lost'), async () => {
      const { id } = await newService()
      await put(id, [drink])
      const { page } = await at(`/admin/services/${id}/form`)
      await page.locator('.service-form-head').click()
      await page.getByLabel(t.labelEn).fill('Beverage')
      await put(id, [drink, { key: 'note', kind: 'paragraph', labelAr: 'ملاحظة', labelEn: 'Note' }])
      await page.keyboard.press('Control+s')
      await page.getByRole('group', { name: t.fields }).waitFor()
      assert.equal((await read(id)).version, 2)
      assert.deepEqual(await findings(page), [])
      await page.getByRole('button', { name: f.keepMine }).click()
      await page.keyboard.press('Control+s')
      await page.getByText(t.saved).waitFor()
      const { version, fields } = await read(id)
      assert.deepEqual([version, fields.length, fields[0].labelEn], [3, 1, 'Beverage'])
    })

    test(titled('an option is marked as sold out with two presses, beside the form of the service'), async () => {
      const { id } = await newService()
      await put(id, [drink, sugar])
      const { page } = await at(`/admin/services/${id}`)
      await page.getByText(t.version('1')).waitFor()
      await page.locator('summary', { hasText: s.soldOut }).click()
      await page.getByRole('switch', { name: n.soldOutOf(`\u2068${pick('حليب', 'Milk')}\u2069`) }).click()
      assert.deepEqual(await findings(page), [])
      await page.getByRole('link', { name: s.editForm }).click()
      if (size === 'phone') await page.getByRole('tab', { name: t.preview }).click()
      await page.getByRole('region', { name: t.preview }).getByText(answers.soldOut).waitFor()
      assert.deepEqual((await portal.admin.get(`/services/${id}/notice`)).body.offOptions, ['drink.milk'])
    })
  }
})
