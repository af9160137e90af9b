/** A page that contains only the parts that a test draws. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before } from 'node:test'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { configOf } from '../build/vite.ts'
import type { browser } from './browser.ts'
import type { Stage } from './stage.ts'

declare global {
  interface Window {
    stage: Stage
    /** The calls of the callbacks given to the drawn parts, in order. */
    calls: unknown[]
  }
}

const folder = mkdtempSync(join(tmpdir(), 'bawaba-stage-'))

/** An address at which no portal answers, for pages of parts. */
export const nowhere = { base: 'http://127.0.0.1:9' }

/** `open` opens the page in a language. */
export function staged(visit: ReturnType<typeof browser>['visit']) {
  before(async () => {
    const config = configOf('stage', folder)
    await build({
      ...config,
      publicDir: false,
      build: {
        ...config.build,
        manifest: false,
        rolldownOptions: {
          input: fileURLToPath(new URL('stage.ts', import.meta.url)),
          output: { entryFileNames: 'stage.js', assetFileNames: '[name][extname]' },
        },
      },
    })
  })
  after(() => rmSync(folder, { recursive: true }))

  return async (language: 'ar' | 'en') => {
    const opened = await visit({ language, baseURL: nowhere.base })
    const { page } = opened
    const bodies: Record<string, [type: string, body: string | Buffer]> = {
      '/': [
        'text/html',
        `<!doctype html><html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}"><base href="/"><link rel="icon" href="data:,">
         <link rel="stylesheet" href="stage.css"><title>Stage</title><main><h1>Stage</h1><div id="root"></div></main><script type="module" src="stage.js"></script>`,
      ],
    }
    await page.route(`${nowhere.base}/**`, (route) => {
      const { pathname } = new URL(route.request().url())
      const [contentType, body] = bodies[pathname] ?? [pathname.endsWith('.css') ? 'text/css' : 'text/javascript', '']
      return route.fulfill({ contentType, body: body || readFileSync(join(folder, pathname)) })
    })
    await page.goto('/')
    await page.waitForFunction(() => 'stage' in window)
    await page.evaluate(() => Object.assign(window, { calls: [] }))
    return { page, calls: () => page.evaluate(() => window.calls) }
  }
}
