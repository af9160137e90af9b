/** Every action that the server writes to the audit log has a sentence. */
import '../../../testing/document.ts'
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { steps } from '../../../../server/executive-meetings/requests/rules.ts'
import { both } from './sentences.ts'

const server = join(import.meta.dirname, '../../../../server')

/** Actions that a kind of change names, also those that it chooses between. */
const written = globSync('**/{changes,audits}.ts', { cwd: server })
  .flatMap((file) => readFileSync(join(server, file), 'utf8').split('\n'))
  .flatMap((line) => Array.from(line.matchAll(/\baction: ([^,}]+)/g), ([, chosen]) => chosen!))
  .flatMap((chosen) => Array.from(chosen.matchAll(/'([a-z_]+(?:\.[a-z_]+)+)'/g), ([, action]) => action!))
const requested = steps.map(({ action }) => `meeting_request.${action}`)

test('every action of the audit log has a sentence, and every sentence an action', () => {
  const actions = new Set([...written, ...requested])
  assert.ok(actions.size > 50)
  assert.deepEqual(Object.keys(both.ar).toSorted(), [...actions].toSorted())
})

test('a sentence names the record, and both languages name the same', () => {
  const named = (sentence: string) => sentence.match(/\{\w+\}/g)?.toSorted() ?? []
  const differing = Object.keys(both.ar).filter((action) => {
    const of = (language: 'ar' | 'en') => named(both[language][action as keyof typeof both.ar])
    return of('ar').join() !== of('en').join()
  })
  assert.deepEqual(differing, [])
})
