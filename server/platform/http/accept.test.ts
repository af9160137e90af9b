import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '../errors/refusal.ts'
import { acceptedOf } from './accept.ts'

const offered = ['image/png', 'application/pdf', 'application/json'] as const
const cases: [accept: string | undefined, type: (typeof offered)[number] | null][] = [
  [undefined, 'image/png'],
  ['', 'image/png'],
  ['*/*', 'image/png'],
  ['image/*', 'image/png'],
  ['application/*', 'application/pdf'],
  ['application/json', 'application/json'],
  ['APPLICATION/PDF', 'application/pdf'],
  ['application/json, text/plain, */*', 'application/json'],
  ['application/pdf, image/png', 'image/png'],
  ['application/pdf;q=0.9,image/png;q=0.8', 'application/pdf'],
  ['image/png ; q=0.1 , application/pdf ; q=0.2', 'application/pdf'],
  ['*/*;q=0.1, application/pdf', 'application/pdf'],
  ['image/png;q=0, */*', 'application/pdf'],
  ['image/*;q=0, application/*;q=0.5, application/pdf;q=0', 'application/json'],
  ['image/png;q=x', 'image/png'],
  ['text/html', null],
  ['*/*;q=0', null],
  ['image/png;q=0.0', null],
]
for (const [accept, type] of cases)
  test(`Accept ${JSON.stringify(accept)} gets ${type ?? 'a refusal'}`, () => {
    if (type) assert.equal(acceptedOf(accept, offered), type)
    else
      assert.throws(
        () => acceptedOf(accept, offered),
        (error) => error instanceof Refusal && error.code === 'not_acceptable',
      )
  })
