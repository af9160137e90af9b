/** On a touch screen, hover styles would stay after a press. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const web = join(import.meta.dirname, '..')
const hovering = /@media \(hover: hover\) \{(?:[^{}]*\{[^{}]*\})*[^{}]*\}/g

test('every hover rule is limited to devices that hover', () => {
  const files = globSync('**/*.css', { cwd: web }).filter((file) => !file.startsWith('dist'))
  const stray = files.filter((file) => readFileSync(join(web, file), 'utf8').replace(hovering, '').includes(':hover'))
  assert.deepEqual(stray, [])
})
