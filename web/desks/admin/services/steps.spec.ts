import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addStep, changeStep, isOfNobody } from './steps.ts'

test('a first step names the manager as approver, and the next step has no approver yet', () => {
  const two = addStep(addStep([]))
  assert.deepEqual(
    two.map(({ manager }) => manager),
    [true, false],
  )
  assert.deepEqual(two.map(isOfNobody), [false, true])
})

test('the key of a new step is made from its names, and is unique', () => {
  const named = changeStep(addStep([]), 0, { nameEn: 'Budget' }, [])
  const both = changeStep(addStep(named), 1, { nameEn: 'Budget' }, [])
  assert.deepEqual(
    both.map(({ key }) => key),
    ['budget', 'budget_2'],
  )
})

test('a saved step keeps its key when its name changes', () => {
  const saved = changeStep(addStep([]), 0, { nameEn: 'Budget' }, [])
  assert.equal(changeStep(saved, 0, { nameEn: 'Costs' }, ['budget'])[0]!.key, 'budget')
})
