/**
 * `npm run new-feature NAME [SINGULAR]`: writes a working feature and adds it to every list: docs/adding-a-feature.md. NAME is the
 * plural, such as `announcements`.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { planFeature } from './feature.ts'

const root = join(import.meta.dirname, '..')

function fail(line: string): never {
  console.error(line)
  process.exit(1)
}

function plan(plural: string, singular?: string) {
  try {
    return planFeature(root, plural, singular)
  } catch (error) {
    return fail((error as Error).message)
  }
}

const [plural, singular] = process.argv.slice(2)
if (!plural) fail('npm run new-feature NAME [SINGULAR], such as: npm run new-feature announcements')
const files = plan(plural, singular)
for (const [file, text] of Object.entries(files)) {
  mkdirSync(dirname(join(root, file)), { recursive: true })
  writeFileSync(join(root, file), text)
  console.log(file)
}

const env = { ...process.env, PATH: `${root}/node_modules/.bin:${process.env['PATH']}` }
const sources = Object.keys(files).filter((file) => file.endsWith('.ts'))
for (const command of [
  'npm run -s tables',
  `biome check --write ${sources.join(' ')}`,
  'npm run -s openapi',
  'npm run -s test:files -- --test-update-snapshots test/api.test.ts test/changes.test.ts',
]) {
  const { status, stdout, stderr } = spawnSync(command, { cwd: root, env, shell: true, encoding: 'utf8' })
  if (status !== 0) fail(`${stdout}${stderr}\nfailed: ${command}`)
}
console.log(`server/platform/tables.ts
openapi.json
test/api.txt
test/changes.txt

Next: npm run check && npm run test:files -- server/work/${plural}/${plural}.test.ts`)
