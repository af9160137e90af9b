import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addStep, changeStep, isOfNobody } from './steps.ts'

test('the first step is of the manager, and the next one of nobody yet', () => {
  const two = addStep(addStep([]))
  assert.deepEqual(
    two.map(({ manager }) => manager),
    [true, false],
  )
  assert.deepEqual(two.map(isOfNobody), [false, true])
})

test('the key of a new step follows its names, and differs from the others', () => {
  const named = changeStep(addStep([]), 0, { nameEn: 'Budget' }, [])
  const both = changeStep(addStep(named), 1, { nameEn: 'Budget' }, [])
  assert.deepEqual(
    both.map(({ key }) => key),
    ['budget', 'budget_2'],
  )
})

test('a step that is saved keeps its key under another name', () => {
  const saved = changeStep(addStep([]), 0, { nameEn: 'Budget' }, [])
  assert.equal(changeStep(saved, 0, { nameEn: 'Costs' }, ['budget'])[0]!.key, 'budget')
})
