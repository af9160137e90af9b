import { fileURLToPath } from 'node:url'
import type { InlineConfig } from 'vite'
import { iconSprite } from './icons.ts'

const web = fileURLToPath(new URL('..', import.meta.url))

interface Graph {
  getModuleInfo(id: string): { importedIds: readonly string[] } | null
}

/** Puts the shared code of the first page into one chunk, which is smaller than several. */
function firstChunk() {
  const found = new Set<string>()
  const reach = (graph: Graph, id: string) => {
    if (found.has(id)) return
    found.add(id)
    for (const next of graph.getModuleInfo(id)?.importedIds ?? []) reach(graph, next)
  }
  const isApart = (id: string) => id === `${web}main.tsx` || id.startsWith(`${web}people/home/`) || id.endsWith('.css')
  return (id: string, graph: Graph) => {
    for (const file of ['main.tsx', 'people/home/page.tsx']) reach(graph, `${web}${file}`)
    return found.has(id) && !isApart(id) ? 'first' : null
  }
}

const common = {
  root: web,
  configFile: false,
  base: './',
  logLevel: 'warn',
  cacheDir: fileURLToPath(new URL('../../node_modules/.cache/vite', import.meta.url)),
} satisfies InlineConfig
const target = 'es2023'

/** The configuration for the pages. `build` is the name of the version, which the pages compare with that of the server. */
export const configOf = (build: string, outDir: string): InlineConfig => ({
  ...common,
  plugins: [iconSprite()],
  define: { __BUILD__: JSON.stringify(build) },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir,
    manifest: true,
    emptyOutDir: true,
    target,
    modulePreload: { polyfill: false },
    // Inlined assets would need an exception in the content security policy.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        // The first chunk lists the names of all chunks, so the names are only short hashes, enough to distinguish a thousand files.
        hashCharacters: 'base36',
        chunkFileNames: 'assets/[hash:7].js',
        assetFileNames: ({ names: [name = ''] }) => (name.endsWith('.css') ? 'assets/[hash:7].css' : 'assets/[name]-[hash][extname]'),
        codeSplitting: {
          groups: [{ debugName: 'first', name: firstChunk() }],
        },
      },
    },
  },
})

interface Shell {
  /** The name of the version. */
  build: string
  /** The files that the worker caches from the start, with their hashes. Files of desks are not among them. */
  shell: Record<string, string>
}

export const workerConfigOf = ({ build, shell }: Shell, outDir: string): InlineConfig => ({
  ...common,
  publicDir: false,
  define: { __BUILD__: JSON.stringify(build), __SHELL__: JSON.stringify(shell) },
  build: {
    outDir,
    emptyOutDir: false,
    target,
    modulePreload: false,
    reportCompressedSize: false,
    rolldownOptions: {
      input: fileURLToPath(new URL('../worker.ts', import.meta.url)),
      output: { format: 'iife', entryFileNames: 'worker.js' },
    },
  },
})
