/** A page that contains only the parts that a test renders. */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { before } from 'node:test'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { inTurn } from '../build/in-turn.ts'
import { sourcesHash } from '../build/sources.ts'
import { configOf } from '../build/vite.ts'
import type { browser } from './browser.ts'
import type { Stage } from './stage.ts'

declare global {
  interface Window {
    stage: Stage
    /** The calls that tests record in the callbacks of the rendered parts, in order. */
    calls: unknown[]
  }
}

const input = fileURLToPath(new URL('stage.ts', import.meta.url))
/** A hash of the present sources, which names the folder of their stage. The first test that needs the stage builds it. */
const hash = createHash('sha256').update(sourcesHash()).update(readFileSync(input)).digest('hex').slice(0, 16)
const folder = fileURLToPath(new URL(`../../node_modules/.cache/bawaba-stage/${hash}/`, import.meta.url))

async function buildStage() {
  if (existsSync(folder)) return
  rmSync(dirname(folder), { recursive: true, force: true })
  const unfinished = `${dirname(folder)}/unfinished/`
  const config = configOf('stage', unfinished)
  await build({
    ...config,
    publicDir: false,
    build: {
      ...config.build,
      manifest: false,
      rolldownOptions: { input, output: { entryFileNames: 'stage.js', assetFileNames: '[name][extname]' } },
    },
  })
  renameSync(unfinished, folder)
}

/** An address without a portal, for pages of single parts. */
export const nowhere = { base: 'http://127.0.0.1:9' }

/** Returns a function that opens the page in a language. */
export function staged(visit: ReturnType<typeof browser>['visit']) {
  before(() => inTurn(buildStage))

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
