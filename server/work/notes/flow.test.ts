/** Prints the life of a received note on one page, from the table of its rules. */
import { test } from 'node:test'
import { assertPage } from '../../../test/one-page.ts'
import { askable, moves, statusAfter } from './rules.ts'

test('the page of the statuses of a received note is up to date', (t) => {
  const known = Object.keys(moves) as (keyof typeof moves)[]
  const line = (from: string, asked: string, to: string) => `  ${from.padEnd(24)}${asked.padEnd(10)}-> ${to}`
  const page = [
    'Sent: unread. The thread read while unread: read. Answered by the recipient, archived or not: replied.',
    '',
    'What it is               asked to be  becomes',
    ...known.flatMap((status) => askable.map((asked) => line(status, asked, statusAfter({ status, statusBefore: null }, asked)))),
    ...known.flatMap((statusBefore) =>
      askable.map((asked) => line(`archived, was ${statusBefore}`, asked, statusAfter({ status: 'archived', statusBefore }, asked))),
    ),
  ]
  assertPage(t, page, new URL('flow.txt', import.meta.url))
})
