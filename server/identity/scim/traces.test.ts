/** The calls that Entra's and Okta's documents show, in their order, with the answers that they expect. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { testPortal } from '../../../test/portal.ts'
import { newSource } from '../../../test/scim.ts'

const portal = testPortal()

interface Step {
  what: string
  call: [method: string, path: string]
  send?: object
  status: number
  body?: Record<string, unknown>
  lacks?: string[]
  /** Names that later steps use for values of the answer. */
  keep?: Record<string, string>
}

for (const directory of ['entra', 'okta'])
  test(`${directory} gets the answers that its documents expect`, async () => {
    const source = await newSource(portal)
    const steps = JSON.parse(readFileSync(new URL(`../../../test/scim/traces/${directory}.json`, import.meta.url), 'utf8')) as Step[]
    const known = new Map<string, string>()
    const filled = <T>(value: T) => JSON.parse(JSON.stringify(value).replace(/\{(\w+)\}/g, (all, name) => known.get(name) ?? all)) as T
    for (const step of steps) {
      const { what, call, send, status, body = {}, lacks = [], keep = {} } = step
      const [method, path] = filled(call)
      const answer = await source.call(method, encodeURI(path), send && filled(send))
      assert.equal(answer.status, status, `${what}: ${answer.text}`)
      for (const [name, value] of Object.entries(filled(body))) assert.deepEqual(answer.body[name], value, `${what}: ${name}`)
      for (const name of lacks) assert.equal(name in answer.body, false, `${what}: ${name}`)
      for (const [name, field] of Object.entries(keep)) known.set(name, answer.body[field])
    }
  })
