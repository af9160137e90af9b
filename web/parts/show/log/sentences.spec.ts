import '../../../testing/document.ts'
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { steps } from '../../../../server/work/meetings/requests/rules.ts'
import { beforeNumber, both } from './sentences.ts'
import { both as words } from './texts.ts'

const server = join(import.meta.dirname, '../../../../server')

/** The actions named in the server's sources, including those chosen by a condition. */
const written = globSync('**/*{changes,audits}.ts', { cwd: server })
  .flatMap((file) => readFileSync(join(server, file), 'utf8').split('\n'))
  .flatMap((line) => Array.from(line.matchAll(/\baction: ([^,}]+)/g), ([, chosen]) => chosen!))
  .flatMap((chosen) => Array.from(chosen.matchAll(/'([a-z_]+(?:\.[a-z_]+)+)'/g), ([, action]) => action!))
const requested = steps.map(({ action }) => `meeting_request.${action}`)

test('every action of the audit log has a sentence, and every sentence an action', () => {
  const actions = new Set([...written, ...requested])
  assert.ok(actions.size > 50)
  assert.deepEqual(Object.keys(both.ar).toSorted(), [...actions].toSorted())
})

test('the sentences of both languages name the same records', () => {
  const named = (sentence: string) => sentence.match(/\{\w+\}/g)?.toSorted() ?? []
  const differing = Object.keys(both.ar).filter((action) => {
    const of = (language: 'ar' | 'en') => named(both[language][action as keyof typeof both.ar])
    return of('ar').join() !== of('en').join()
  })
  assert.deepEqual(differing, [])
})

/** The type of record of an action: the first part of its key, except for passwords, accounts and requests for access. */
const kindOf = (action: string) =>
  action
    .split('.')[0]!
    .replace(/^(auth|account)$/, 'user')
    .replace(/^access$/, 'access_request')

test('a record without a name shows its type once, with its number', () => {
  const phrase = (language: 'ar' | 'en', action: keyof typeof both.ar) => {
    const { numbered, types } = words[language]
    const kind = types[kindOf(action)]!
    const [before = '', after = ''] = both[language][action].split('{it}')
    return beforeNumber(before, kind) + numbered(kind, 2) + after
  }
  assert.equal(phrase('en', 'meeting_request.needs_edit'), 'returned meeting request number 2 for changes')
  assert.equal(phrase('ar', 'meeting_request.needs_edit'), 'إعادة طلب اجتماع (رقم 2) للتعديل')
  assert.equal(phrase('en', 'user.delete'), 'deleted account number 2')
  assert.equal(phrase('ar', 'auth.password.reset').slice(-'لحساب (رقم 2)'.length), 'لحساب (رقم 2)')
  // The names of records of these actions are always in the entry.
  const named =
    /^(pdf_archive|meeting\.reorder|token|calendar|service_account|factor|identity|recovery_codes|sign_in|provider|source|webhook|user\.adopt)\b/
  const actions = (Object.keys(both.ar) as (keyof typeof both.ar)[]).filter(
    (action) => both.ar[action].includes('{it}') && !named.test(action),
  )
  const doubled = actions.flatMap((action) =>
    (['ar', 'en'] as const)
      .filter((language) => {
        const [first = '', ...rest] = phrase(language, action)
          .replaceAll(/(?<![^ ])ال/g, '')
          .split(words[language].types[kindOf(action)]!)
        return rest.length !== 1 || first.endsWith('the ')
      })
      .map((language) => phrase(language, action)),
  )
  assert.deepEqual(doubled, [])
})
