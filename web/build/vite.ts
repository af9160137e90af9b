import { fileURLToPath } from 'node:url'
import type { InlineConfig } from 'vite'
import { iconSprite } from './icons.ts'

const web = fileURLToPath(new URL('..', import.meta.url))

/** `build` names the version; the pages compare it with what the server says. */
export const configOf = (build: string): InlineConfig => ({
  root: web,
  configFile: false,
  base: './',
  logLevel: 'warn',
  plugins: [iconSprite()],
  define: { __BUILD__: JSON.stringify(build) },
  cacheDir: fileURLToPath(new URL('../../node_modules/.cache/vite', import.meta.url)),
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: 'dist',
    manifest: true,
    emptyOutDir: true,
    target: 'es2023',
    modulePreload: { polyfill: false },
    // What is inlined would need a hole in the content security policy.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
  },
})
