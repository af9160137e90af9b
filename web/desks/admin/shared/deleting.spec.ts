/** Deletions that take other records with them. */
import '../../../testing/document.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '../../../platform/refusal.ts'
import { removeShown } from './deleting.ts'

/** Deletes a record that has these orders by now. Returns the calls, and the numbers that were shown again. */
async function deletion(shown: number, orderCount: number, refused?: Refusal) {
  const calls: boolean[] = []
  const again: unknown[] = []
  const remove = async (force: boolean) => {
    calls.push(force)
    if (refused) throw refused
    if (orderCount > 0 && !force) throw new Refusal(409, { code: 'has_dependents', orderCount })
  }
  const failure = await removeShown({ orderCount: shown }, remove, (now) => void again.push(now)).then(
    () => undefined,
    (thrown) => thrown.code,
  )
  return { calls, again, failure }
}

test('a record is deleted by force only with as many dependents as were shown', async () => {
  assert.deepEqual(await deletion(0, 0), { calls: [false], again: [], failure: undefined })
  assert.deepEqual(await deletion(12, 12), { calls: [false, true], again: [], failure: undefined })
  assert.deepEqual(await deletion(12, 11), { calls: [false, true], again: [], failure: undefined })
  assert.deepEqual(await deletion(12, 13), { calls: [false], again: [{ orderCount: 13 }], failure: 'has_dependents' })
  assert.deepEqual(await deletion(0, 12), { calls: [false], again: [{ orderCount: 12 }], failure: 'has_dependents' })
})

test('a deletion of a record that has changed is asked again, and one refused for another reason is not', async () => {
  const changed = new Refusal(412, { code: 'changed_meanwhile' })
  assert.deepEqual(await deletion(12, 12, changed), { calls: [false], again: [undefined], failure: 'changed_meanwhile' })
  const missing = new Refusal(404, { code: 'not_found' })
  assert.deepEqual(await deletion(12, 12, missing), { calls: [false], again: [], failure: 'not_found' })
})
