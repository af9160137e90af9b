import '../../testing/outside.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changeNote, type Note } from './data.ts'

const note = (id: number) => ({ id, title: '', content: '', labelIds: [], isPinned: false, isArchived: false }) as unknown as Note

test('changes of one note are sent one after the other, those of two notes at the same time, and all with keepalive', async (t) => {
  const sent: unknown[] = []
  t.mock.method(globalThis, 'fetch', (address: string, { body, keepalive }: RequestInit) => {
    sent.push([address.split('/').at(-1), JSON.parse(String(body)), keepalive])
    return new Promise(() => {})
  })
  const turn = () => new Promise(setImmediate)
  for (const [id, color] of [
    [1, 'yellow'],
    [1, 'green'],
    [2, 'blue'],
  ] as const)
    changeNote(note(id), { color }).catch(() => {})
  await turn()
  assert.deepEqual(sent, [
    ['1', { color: 'yellow' }, true],
    ['2', { color: 'blue' }, true],
  ])
})
