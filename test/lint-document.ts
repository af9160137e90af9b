/**
 * Lints `openapi.json` by the recommended rules of Redocly and Spectral. Fails if either finds anything, or if an exception of
 * `.redocly.lint-ignore.yaml` is no longer needed. Needs no network. A document that passed is linted again only after a change of it, of
 * the rules or of the packages: `test/linted-document.txt`, which belongs to the repository, has the hash of the last one that passed.
 */
import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { RulesetDefinition } from '@stoplight/spectral-core'

const path = (file: string) => fileURLToPath(new URL(`../${file}`, import.meta.url))
const [document, configuration, ignored] = [path('openapi.json'), path('redocly.yaml'), path('.redocly.lint-ignore.yaml')]
const passed = path('test/linted-document.txt')

/** Each finding as a line: the rule, the message, and the place. */
async function askRedocly() {
  const { lint, loadConfig } = await import('@redocly/openapi-core')
  const config = await loadConfig({ configPath: configuration })
  const found = await lint({ ref: document, config })
  const lines = found
    .filter((problem) => !problem.ignored)
    .map(({ ruleId, message, location }) => `redocly ${ruleId}: ${message} ${location.map(({ pointer }) => pointer).join(' ')}`)
  const excepted = Object.values(config.ignore).flatMap((rules) => Object.values(rules).flatMap((places) => [...places]))
  const needed = new Set(found.filter((problem) => problem.ignored).flatMap(({ location }) => location.map(({ pointer }) => pointer)))
  return [...lines, ...excepted.filter((place) => !needed.has(place)).map((place) => `redocly: the exception ${place} is not needed`)]
}

async function askSpectral() {
  const [core, parsers, rulesets] = await Promise.all([
    import('@stoplight/spectral-core'),
    import('@stoplight/spectral-parsers'),
    import('@stoplight/spectral-rulesets'),
  ])
  const spectral = new core.default.Spectral()
  spectral.setRuleset({ extends: [[rulesets.default.oas as unknown as RulesetDefinition, 'recommended']], rules: {} })
  const text = await readFile(document, 'utf8')
  const found = await spectral.run(new core.default.Document(text, parsers.default.Json, document))
  return found.map(({ code, message, path }) => `spectral ${code}: ${message} ${path.join('/')}`)
}

const files = [document, configuration, ignored, path('package-lock.json'), fileURLToPath(import.meta.url)]
const hash = createHash('sha256')
for (const file of files) hash.update(await readFile(file))
const state = hash.digest('hex')

if (state !== (await readFile(passed, 'utf8').catch(() => '')).trim()) {
  const findings = [...(await askRedocly()), ...(await askSpectral())]
  for (const finding of findings) console.error(finding)
  if (findings.length > 0) process.exitCode = 1
  else await writeFile(passed, `${state}\n`)
}
