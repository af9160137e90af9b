/** The page of the audit log has words for every field of an entry, and the log has names for every id. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import type { TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { changeKinds } from '../../../../server/lists/changes.ts'
import { endpoints } from '../../../../server/lists/features.ts'
import type { AnyKind } from '../../../../server/platform/changes/change-kind.ts'
import { thingNamed } from '../../../../server/record/audit/rules.ts'
import { restOf } from './entries.ts'

type Audited = AnyKind & { facts: TSchema & { properties?: Record<string, TSchema> } }

/** Sample facts of a kind, with all optional ones. */
function factsOf({ facts }: Audited) {
  const whole = Object.entries(facts.properties ?? {}).map(([field, shape]) => [field, Value.Create(shape)])
  const made: Record<string, unknown> = { ...(Value.Create(facts) as object), ...Object.fromEntries(whole) }
  if ('part' in made) made['part'] = 'users'
  if ('asked' in made) made['asked'] = 'approved'
  return made
}

/** An entry of each action. */
const entries = Object.values<Audited>(changeKinds).flatMap((kind) => {
  if (kind.audits === 'nothing') return []
  const { targetType } = kind
  const facts = factsOf(kind)
  return [kind.audits({ targetId: 1, facts, author: null })]
    .flat()
    .map(({ action, metadata = facts }) => ({ action, targetType, metadata }))
})

/** The fields that an administrator may change with PATCH. An entry has them in `changed`. */
const changeable = endpoints.flatMap(({ at, allow, body }) =>
  allow === 'admin' && at.startsWith('PATCH ') ? Object.keys((body as { properties?: object }).properties ?? {}) : [],
)
/** Fields that no entry contains: a secret, and the additions and removals in a group’s sets, which an entry has as whole sets. */
const unsaid = new Set(['clientSecret', 'members', 'roles', 'apps'])

test('every field of an entry has a label in the log', async () => {
  const files = ['fields.ts', 'fields-across.ts'].map((name) => readFile(new URL(name, import.meta.url), 'utf8'))
  const labels = new Set((await Promise.all(files)).join().match(/(?<=^ {2})\w+(?=:)/gm))
  const bare = { id: 1, targetId: 1, createdAt: '2030-01-01T00:00:00.000Z', actor: null, revertOf: null, refs: {} }
  const shown = entries.flatMap((entry) => restOf({ ...bare, ...entry }).map(([field]) => field))
  assert.ok(shown.length > 100 && changeable.length > 50)
  const unlabelled = [...new Set([...shown, ...changeable])].filter((field) => !labels.has(field) && !unsaid.has(field))
  assert.deepEqual(unlabelled, [])
})

/** Ids of things that have no names in the log. */
const nameless = new Set(['accessReviewId', 'clientId', 'importId', 'requestId', 'sourceId', 'tokenId'])

test('every id in an entry gets its name', () => {
  const fields = [...entries.flatMap(({ metadata }) => Object.keys(metadata)), ...changeable].filter((field) => /Ids?$/.test(field))
  assert.ok(fields.length > 20)
  assert.deepEqual(
    [...new Set(fields)].filter((field) => !thingNamed(field) && !nameless.has(field)),
    [],
  )
})
