/** The Node that is installed as a package, and that runs every script, satisfies the `engines` of all packages. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { satisfies } from 'compare-versions'

const { packages } = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8')) as {
  packages: Record<string, { engines?: { node?: string } }>
}
const demands = Object.entries(packages).flatMap(([name, { engines }]) =>
  engines?.node && engines.node !== '*' ? [{ name, range: engines.node.replace(/([<>=])\s+/g, '$1') }] : [],
)

test('every package accepts the Node that the scripts run on', () => {
  assert.ok(demands.length > 100)
  assert.deepEqual(
    demands.filter(({ range }) => !satisfies(process.versions.node, range)),
    [],
  )
})
