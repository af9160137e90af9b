import assert from 'node:assert/strict'
import { test } from 'node:test'
import { jsonObject, personJson } from './json.ts'

test('`jsonObject` lists each field with its expression', () => {
  assert.equal(jsonObject({ id: 'n.id', name: 'n.name' }), "json_build_object('id', n.id, 'name', n.name)")
})

test('additional fields of a person come last, and replaced ones keep their place', () => {
  const fields = (json: string) => [...json.matchAll(/'(\w+)', ([\w.]+)/g)].map(([, field, expression]) => `${field} ${expression}`)
  assert.deepEqual(fields(personJson('u', { id: 'row.actor_id', isActive: 'u.is_active' })), [
    'id row.actor_id',
    'username u.username',
    'displayNameAr u.display_name_ar',
    'displayNameEn u.display_name_en',
    'avatarUrl u.avatar_url',
    'isActive u.is_active',
  ])
})
