/** A portal with its pages, and a browser. Without Chromium, the tests that need it are skipped and say so. */
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { after, afterEach, before, test } from 'node:test'
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Locator, type Page } from 'playwright-core'
import { PASSWORD, until } from '../../test/client.ts'
import { scale } from '../../test/suite.ts'
import { builtFrom } from './built.ts'
import './document.ts'
import type { Portal } from './portal.ts'

export { portalWithPages } from './portal.ts'

const whole = process.env['CHROMIUM'] ?? '/usr/bin/chromium'
/** Chromium without windows. It needs only two thirds of the processor time, but cannot show notifications. */
const withoutWindows = '/usr/bin/chromium-headless-shell'
const light = process.env['CHROMIUM'] || !existsSync(withoutWindows) ? whole : withoutWindows
/** Whether there is a browser; `.ci/run` has one. */
const hasBrowser = existsSync(light)

const sizes = { phone: { width: 390, height: 844 }, desktop: { width: 1440, height: 900 } } as const

interface Visit extends BrowserContextOptions {
  language?: 'ar' | 'en'
  size?: keyof typeof sizes
}

const bothPairs = [
  { language: 'ar', size: 'phone' },
  { language: 'en', size: 'desktop' },
] as const
/**
 * The languages and sizes for journeys: Arabic on a phone, and in the slow suite also English on a desktop. `frame/addresses.spec.ts` opens
 * every page on a phone.
 */
export const pairs = bothPairs.slice(0, scale(1, bothPairs.length))
/** The languages for tests: Arabic, and in the slow suite both. */
export const languages = (['ar', 'en'] as const).slice(0, scale(1, 2))

/** Collects problems of a page: console messages, errors, requests to other hosts, violations of the content security policy. */
function watch(page: Page, known: readonly string[], problems: string[]) {
  page.on('console', (message) => {
    // Messages about these are expected: refused calls, a connection lost while the worker is fetched, a sign-out that clears the device,
    // and a worker that the driver blocks.
    if (
      !/Failed to load resource|error occurred when fetching the script|^Clear-Site-Data|^Service Worker registration blocked/.test(
        message.text(),
      )
    )
      problems.push(`${message.type()}: ${message.text()}`)
  })
  page.on('pageerror', (error) => problems.push(String(error)))
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url())
    // The browser's PDF viewer has its own addresses.
    if (!known.includes(origin) && !['blob:', 'data:', 'chrome:', 'chrome-extension:'].includes(protocol))
      problems.push(`asked ${request.url()}`)
  })
}

/** The text of a page, for the report of a failed test. */
async function shownOn(page: Page) {
  const text = await page.locator('body').innerText({ timeout: 5000 }).catch(String)
  return `${page.url()} showed: ${text.replaceAll(/\s*\n\s*/g, ' | ').slice(0, 3000)}`
}

/**
 * A browser for one test file. Set `notifies` if a test shows notifications; `others` returns further origins that pages may load. `visit`
 * opens a window that closes after the test. A test fails if `problems` is not empty at its end.
 */
export function browser(portal: Pick<Portal, 'base'>, { notifies = false, others = () => [] as string[] } = {}) {
  let opened: Browser | undefined
  const problems: string[] = []
  const contexts: BrowserContext[] = []
  before(async () => {
    opened = await chromium.launch({
      executablePath: notifies ? whole : light,
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    })
  })
  after(() => opened?.close())
  afterEach(async (t) => {
    for (const context of contexts.splice(0)) {
      if ('passed' in t && !t.passed) for (const page of context.pages()) t.diagnostic(await shownOn(page))
      // A call that a route is passing on fails when the page closes.
      for (const page of context.pages()) await page.unrouteAll({ behavior: 'ignoreErrors' })
      await context.unrouteAll({ behavior: 'ignoreErrors' })
      await context.close()
    }
    assert.deepEqual(problems.splice(0), [])
  })

  /** Opens a new window without a session. */
  async function visit({ language = 'ar', size = 'desktop', ...options }: Visit = {}) {
    if (!opened) throw new Error('there is no browser')
    const phone = size === 'phone' ? { isMobile: true, hasTouch: true } : {}
    const context = await opened.newContext({
      locale: language === 'ar' ? 'ar-SA' : 'en-GB',
      viewport: sizes[size],
      baseURL: portal.base,
      ...phone,
      ...options,
    })
    contexts.push(context)
    context.setDefaultTimeout(120_000)
    context.on('page', (page) => watch(page, [portal.base, ...others()], problems))
    context.on('serviceworker', (worker) => worker.on('console', (message) => problems.push(`worker: ${message.text()}`)))
    return { context, page: await context.newPage() }
  }

  return {
    visit,
    problems,
    /** Opens a new window at the home page, signed in as a person of `portal.person`. Sets the person's language. */
    async visitAs(username: string, options: Visit = {}) {
      const opened = await visit(options)
      await opened.context.request.post('/api/auth/login', { data: { username, password: PASSWORD }, headers: { origin: portal.base } })
      const { language = 'ar' } = options
      await opened.context.request.patch('/api/auth/me/language', { data: { language }, headers: { origin: portal.base } })
      await opened.page.goto('/')
      return opened
    },
  }
}

/** Waits for code that a page loads after it is rendered, such as `frame/later.ts`, which handles shortcuts. */
export const hasLoaded = (page: Page, ending: string) =>
  page.evaluate(([file]) => import(new URL(file!, document.baseURI).href).then(() => {}), builtFrom(ending))

/** Holds the calls to an address that change something. `began` settles with the first of them, and `release` lets them go on. */
export async function holdCalls(page: Page, address: string) {
  const [began, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  await page.route(address, async (route) => {
    if (route.request().method() !== 'GET') {
      began.resolve()
      await gate.promise
    }
    await route.continue()
  })
  return { began: began.promise, release: () => gate.resolve() }
}

/** Waits until the device stores a text. */
export const keepsText = (page: Page, text: string) =>
  until('the text is stored', () =>
    page.evaluate(
      (text) =>
        new Promise<boolean>((resolve) => {
          const request = indexedDB.open('bawaba', 1)
          request.onsuccess = () => {
            const all = request.result.transaction('kept').objectStore('kept').getAll()
            all.onsuccess = () => {
              request.result.close()
              resolve(JSON.stringify(all.result).includes(text))
            }
          }
        }),
      text,
    ),
  )

/** Presses the browser's Back. Waits for no navigation, because the page may stop it. */
export async function pressBack(page: Page) {
  const devtools = await page.context().newCDPSession(page)
  const { currentIndex, entries } = await devtools.send('Page.getNavigationHistory')
  await devtools.send('Page.navigateToHistoryEntry', { entryId: entries[currentIndex - 1]!.id })
}

/** Declares tests that need a browser. If there is none, one skipped test says so. */
export function journeys(declare: () => void) {
  if (hasBrowser) declare()
  else test('journeys need a browser', { skip: `no ${light}` }, () => {})
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** The violations that axe finds on the page, one line each. */
export async function findings(page: Page): Promise<string[]> {
  // Waits for animations, during which contrast may be too low, but not for long ones, which are countdowns.
  await page.evaluate(() => {
    const motions = document.getAnimations().filter((one) => Number(one.effect?.getComputedTiming().endTime) < 1000)
    return Promise.all(motions.map((one) => one.finished.catch(() => {})))
  })
  const { result } = await page.evaluate(async (source) => {
    const { violations } = await (
      new Function(`${source}; return axe`)() as {
        run(options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>
      }
    )
      // With preloading, axe would fetch the styles again, which fails without a connection.
      .run({ preload: false })
    return { result: violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`)) }
  }, axe)
  return result
}

/**
 * The texts on the page that are not in `language`. Texts with `lang`, in `<bdi>`, keys, and texts that match `known` do not count.
 */
export const foreignTexts = (page: Page, language: 'ar' | 'en', known: RegExp) =>
  page.evaluate(
    ([language, known]) => {
      const foreign = language === 'en' ? /[\u0621-\u064A]{2}/ : /[A-Za-z]{3}/
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
      const found: string[] = []
      while (walker.nextNode()) {
        const text = walker.currentNode.textContent!.replace(new RegExp(known!, 'g'), '')
        const parent = walker.currentNode.parentElement!
        const own = parent.closest('[lang], bdi, kbd, script')
        if (foreign.test(text) && (own === null || own === document.documentElement)) found.push(text)
      }
      for (const element of document.querySelectorAll('[aria-label], [placeholder], [title], [alt]'))
        for (const name of ['aria-label', 'placeholder', 'title', 'alt']) {
          const text = (element.getAttribute(name) ?? '').replace(new RegExp(known!, 'g'), '')
          if (foreign.test(text) && element.closest('[lang]') === document.documentElement) found.push(`${name}: ${text}`)
        }
      return found
    },
    [language, known.source],
  )

/** Finds elements that overflow at 320 pixels, or at 640 with text of twice the size. Leaves the page at 640 pixels with the large text. */
export async function tooWide(page: Page) {
  const found: string[] = []
  const measure = async (what: string) => {
    // Waits some frames, in which the bar is rendered for its new width.
    const over = await page.evaluate(async () => {
      const measured = () => document.documentElement.scrollWidth - innerWidth
      for (let frame = 0; frame < 10 && measured() > 0; frame++) await new Promise(requestAnimationFrame)
      return measured()
    })
    if (over > 0) found.push(`${what}: ${over} px too wide`)
  }
  // Resets the font size that an earlier call has set.
  await page.evaluate(() => {
    const sheet = document.styleSheets[0]!
    const last = sheet.cssRules.length - 1
    if (sheet.cssRules[last]!.cssText === ':root { font-size: 200%; }') sheet.deleteRule(last)
  })
  await page.setViewportSize({ width: 320, height: 640 })
  await measure('narrow')
  await page.setViewportSize({ width: 640, height: 900 })
  await page.evaluate(() => document.styleSheets[0]!.insertRule(':root { font-size: 200% }', document.styleSheets[0]!.cssRules.length))
  await measure('large')
  return found
}

/** An option of a combobox once its list matches the typed text. Before that, the list is that of the empty field. */
export const foundOption = (within: Page | Locator, options: { name: string | RegExp; exact?: boolean }) =>
  within.locator('[role=listbox][aria-busy=false]').getByRole('option', options)

/** Types into a combobox and takes the first option for the typed text. Waits for that option, because the former list shows until then. */
export async function takeFirst(field: Locator, text: string) {
  await field.fill(text)
  const found = field.and(field.page().locator('[aria-activedescendant]'))
  await field
    .page()
    .locator(`[id="${await found.getAttribute('aria-activedescendant')}"]`)
    .click()
}
