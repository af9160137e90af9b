/** The import graph has no cycle, by folder or by file, at run time or with types. `npm run graph` prints it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cyclesIn, graphOf, graphs, importsIn } from './graph.ts'

for (const [title, graph] of Object.entries(graphs)) test(`no cycle among ${title}`, () => assert.deepEqual(cyclesIn(graph), []))

test('every form of import is found, and type imports are marked', () => {
  const text = `import a, { type B } from './a.ts'
import type { C } from '../c.ts'
import {
  d,
} from './d.ts'
import 'pg'
export { e } from './e.ts'
export const later = () => import('./f.ts')
`
  assert.deepEqual(
    importsIn('server/x/y.ts', text).map(({ to, isType }) => [to, isType]),
    [
      ['server/x/a.ts', false],
      ['server/c.ts', true],
      ['server/x/d.ts', false],
      ['pg', false],
      ['server/x/e.ts', false],
      ['server/x/f.ts', false],
    ],
  )
})

test('a cycle is found among nodes that lead to it or from it, and none is found where paths only join', () => {
  const edge = (from: string, to: string) => ({ from, to, isType: false })
  const [cycle] = cyclesIn(graphOf([edge('a', 'b'), edge('b', 'c'), edge('c', 'b'), edge('c', 'd')]))
  assert.match(cycle!, /^(b → c → b|c → b → c)$/)
  assert.deepEqual(cyclesIn(graphOf([edge('a', 'b'), edge('a', 'c'), edge('b', 'c')])), [])
})
