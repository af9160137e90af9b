/** The rows that the recorder writes for changes, tested with a kind that exists only here. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { statementsDuring } from './counting.ts'
import { testPortal } from './portal.ts'
import { type Emitted, type Facts, nobody, nudge, poke, testRecorder, three, two } from './recorder.ts'

const portal = testPortal()
const { recordAll, eventsOf, runsOfThree } = testRecorder(portal)

const cases: [what: string, events: Emitted[], left: unknown[]][] = [
  ['ids reach each of those people once', [poke(1, [2, 1, 2])], [['poke', { n: 1 }, [1, 2]]]],
  ['an event for everyone stays one for everyone', [poke(1, 'everyone')], [['poke', { n: 1 }, null]]],
  ['a query reaches the people it finds', [poke(1, three)], [['poke', { n: 1 }, [1, 2, 3]]]],
  ['an event for nobody is not written', [poke(1, [])], []],
  ['an event whose query finds nobody is not written', [poke(1, nobody)], []],
  ['data are reduced to their shape', [{ event: 'poke', data: { n: 1, secret: 'x' }, to: [1] }], [['poke', { n: 1 }, [1]]]],
  [
    'events keep the order in which they are emitted',
    [poke(2, [1]), poke(1, [1]), nudge(3, [1])],
    [
      ['poke', { n: 2 }, [1]],
      ['poke', { n: 1 }, [1]],
      ['nudge', { n: 3 }, [1]],
    ],
  ],
  [
    'equal events are merged at the position of the last, for all their recipients',
    [poke(1, [1]), poke(2, [5]), poke(1, [2, 1])],
    [
      ['poke', { n: 2 }, [5]],
      ['poke', { n: 1 }, [1, 2]],
    ],
  ],
  ['everyone includes all other recipients', [poke(1, [1]), poke(1, 'everyone'), poke(1, three)], [['poke', { n: 1 }, null]]],
  [
    'equal events for ids and for queries reach each person once',
    [poke(1, [9, 3]), poke(1, three), poke(1, two)],
    [['poke', { n: 1 }, [1, 2, 3, 4, 9]]],
  ],
  [
    'events with other data or another name are not merged',
    [poke(1, [1]), poke(2, [1]), nudge(1, [1])],
    [
      ['poke', { n: 1 }, [1]],
      ['poke', { n: 2 }, [1]],
      ['nudge', { n: 1 }, [1]],
    ],
  ],
]
for (const [what, events, left] of cases)
  test(what, async () => {
    assert.deepEqual(await eventsOf({ events }), left)
    // One change with all events and a change for each event give the same result.
    assert.deepEqual(await eventsOf(...events.map((event) => ({ events: [event] }))), left)
  })

test('events for some sessions are not merged with those for all', async () => {
  const events = [{ ...poke(1, [1]), sessions: [7] }, poke(1, [1])]
  assert.equal((await eventsOf({ events })).length, 2)
})

test('notices come before events and reach the people named by id and those found by queries', async () => {
  const left = await eventsOf({ events: [poke(1, two)], notices: [[8, 7, 8], two] })
  assert.deepEqual(left, [
    ['noticed', [3, 4, 7, 8], [1]],
    ['poke', { n: 1 }, [3, 4]],
  ])
})

test('a query runs once for any number of events and notices', async () => {
  const before = await runsOfThree()
  await recordAll({ events: [poke(1, three), poke(2, three), nudge(1, three)], notices: [three, three] }, { events: [poke(3, three)] })
  assert.equal((await runsOfThree()) - before, 1)
})

test('one statement writes everything that follows from changes', async () => {
  const many = Array.from({ length: 50 }, (_, n): Facts => ({ events: [poke(n, three), nudge(n, [n])], notices: [[n], three] }))
  const statements = await statementsDuring(() => recordAll(...many))
  assert.equal(statements.filter((statement) => /\binto ledger\b/.test(statement)).length, 1)
  assert.equal(statements.filter((statement) => !/^(begin|commit|start transaction)/i.test(statement)).length, 1, statements.join('\n'))
})

test('event data of a wrong shape fail before anything is written', async () => {
  const traces = await portal.traces(() => assert.rejects(recordAll({ events: [{ event: 'poke', data: { n: 'one' }, to: [1] }] })))
  assert.deepEqual(traces.events, [])
})
