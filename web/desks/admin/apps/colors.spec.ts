import assert from 'node:assert/strict'
import { test } from 'node:test'
import { colors, ENOUGH, whiteOn } from './colors.ts'

test('a white icon is legible on every colour offered', () => {
  assert.equal(colors.length, 12)
  assert.deepEqual(
    colors.filter((color) => whiteOn(color)! < ENOUGH),
    [],
  )
})

test('contrast follows WCAG', () => {
  assert.equal(whiteOn('#ffffff'), 1)
  assert.equal(whiteOn('#000'), 21)
  assert.equal(whiteOn('#767676')!.toFixed(2), '4.54')
  assert.equal(whiteOn('teal'), undefined)
})
