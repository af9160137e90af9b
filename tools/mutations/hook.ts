/** Preloaded by every process of a mutant's tests, portals included: loads the mutated source instead of the file. */
import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'

const { url, start, end, text }: { url: string; start: number; end: number; text: string } = JSON.parse(process.env['MUTANT']!)

registerHooks({
  load(asked, context, next) {
    if (asked !== url) return next(asked, context)
    const source = readFileSync(fileURLToPath(url), 'utf8')
    return { format: 'module-typescript', source: source.slice(0, start) + text + source.slice(end), shortCircuit: true }
  },
})
