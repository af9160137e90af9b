/** A portal with its pages and a browser to visit them with; where no Chromium is at hand, tests that need one are not there, and say so. */
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { after, afterEach, before, test } from 'node:test'
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { PASSWORD } from '../../test/client.ts'
import { scale } from '../../test/suite.ts'
import './document.ts'
import type { Portal } from './portal.ts'

export { portalWithPages } from './portal.ts'

const whole = process.env['CHROMIUM'] ?? '/usr/bin/chromium'
/** Chromium without windows: it takes two thirds of the processor time, and shows no notifications. */
const withoutWindows = '/usr/bin/chromium-headless-shell'
const light = process.env['CHROMIUM'] || !existsSync(withoutWindows) ? whole : withoutWindows
/** Whether there is a browser; `.ci/run` has one. */
const hasBrowser = existsSync(light)

const sizes = { phone: { width: 390, height: 844 }, desktop: { width: 1440, height: 900 } } as const

interface Visit extends BrowserContextOptions {
  language?: 'ar' | 'en'
  size?: keyof typeof sizes
}

const everyPair = [
  { language: 'ar', size: 'phone' },
  { language: 'en', size: 'desktop' },
  { language: 'ar', size: 'desktop' },
  { language: 'en', size: 'phone' },
] as const
/** The languages and sizes that journeys are made in: Arabic on a phone, and all four in the slow suite. */
export const pairs = everyPair.slice(0, scale(1, everyPair.length))
/** The same of the languages alone. */
export const languages = (['ar', 'en'] as const).slice(0, scale(1, 2))

/** What must not happen on any page: messages in the console, errors, requests to another host, reports of the policy. */
function watch(page: Page, base: string, problems: string[]) {
  page.on('console', (message) => {
    // A refusal is an answer, a connection is lost while the worker is fetched, and a sign-out clears the device: the browser writes a
    // line for each, and the driver for a worker it blocks.
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
    // The browser shows a PDF with parts of its own.
    if (origin !== base && !['blob:', 'data:', 'chrome:', 'chrome-extension:'].includes(protocol)) problems.push(`asked ${request.url()}`)
  })
}

/**
 * A browser for one file of tests, which `notifies` where a test shows notifications. `visit` opens a window of its own, closed after the
 * test; `problems` has what must not happen, and must be empty then.
 */
export function browser(portal: Pick<Portal, 'base'>, { notifies = false } = {}) {
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
  afterEach(async () => {
    for (const context of contexts.splice(0)) await context.close()
    assert.deepEqual(problems.splice(0), [])
  })

  /** A new window, signed out. */
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
    context.on('page', (page) => watch(page, portal.base, problems))
    context.on('serviceworker', (worker) => worker.on('console', (message) => problems.push(`worker: ${message.text()}`)))
    return { context, page: await context.newPage() }
  }

  return {
    visit,
    problems,
    /** A new window of a person whom `portal.person` has made, at the home page, in a language that becomes theirs. */
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

/** Declares journeys where there is a browser; where there is none, one line that says so. */
export function journeys(declare: () => void) {
  if (hasBrowser) declare()
  else test('journeys need a browser', { skip: `no ${light}` }, () => {})
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What axe finds on the page as it is, one line each. */
export async function findings(page: Page): Promise<string[]> {
  // Motion would be measured half way, at half its contrast. What takes longer counts seconds down.
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
      // axe would ask for the styles again, which fails without a connection.
      .run({ preload: false })
    return { result: violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`)) }
  }, axe)
  return result
}

/**
 * The texts on the page that are not of its language, except what names itself (`lang`), what people wrote (`<bdi>`), keys, and what fits
 * `known`, such as names.
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

/** Where a page needs more width than it has: at 320 pixels, and at 640 with letters of twice the size, as which it is left. */
export async function tooWide(page: Page) {
  const found: string[] = []
  const measure = async (what: string) => {
    // The bar is drawn for its new width in the frames that follow.
    const over = await page.evaluate(async () => {
      const measured = () => document.documentElement.scrollWidth - innerWidth
      for (let frame = 0; frame < 10 && measured() > 0; frame++) await new Promise(requestAnimationFrame)
      return measured()
    })
    if (over > 0) found.push(`${what}: ${over} px too wide`)
  }
  await page.setViewportSize({ width: 320, height: 640 })
  await measure('narrow')
  await page.setViewportSize({ width: 640, height: 900 })
  await page.evaluate(() => document.styleSheets[0]!.insertRule(':root { font-size: 200% }', document.styleSheets[0]!.cssRules.length))
  await measure('large')
  return found
}
