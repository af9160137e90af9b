/** The states and steps of a request on one page, made from the table of steps. */
import { test } from 'node:test'
import { assertPage } from '../../../../test/one-page.ts'
import type { Allow } from '../../../platform/auth/actor.ts'
import { APPROVE } from '../rules.ts'
import { asks, findStep, statuses, steps } from './rules.ts'

const holds = (...held: Allow[]) => ({
  isAdmin: false,
  mayEnter: (allow: Allow) => held.includes(allow),
  hasScope: () => true,
})
const REQUESTER = 1
const callers = {
  anybody: { id: 5, ...holds() },
  requester: { id: REQUESTER, ...holds() },
  reviewer: { id: 2, ...holds(APPROVE) },
  'own reviewer': { id: REQUESTER, ...holds(APPROVE) },
  admin: { id: 3, ...holds(APPROVE), isAdmin: true },
  'own admin': { id: REQUESTER, ...holds(APPROVE), isAdmin: true },
}

function verdict(act: () => { to: string }) {
  try {
    return act().to
  } catch (error) {
    return (error as { code: string }).code
  }
}
const line = (cells: string[]) => `  ${cells.map((cell, n) => cell.padEnd(n ? 20 : 16)).join('')}`.trimEnd()

test('the page of the states and steps of a request is up to date', (t) => {
  const table = steps.map(({ from, asked, to, by }) => `  ${from.join(', ')} -> ${to}: ${asked}, by ${by}`)
  const blocks = statuses.flatMap((status) => [
    '',
    status,
    line(['', ...asks]),
    ...Object.entries(callers).map(([name, caller]) =>
      line([name, ...asks.map((asked) => verdict(() => findStep({ status, requesterId: REQUESTER }, caller, asked)))]),
    ),
  ])
  const page = ['The steps', ...table, '', 'The new status or the refusal, by caller and step', ...blocks.slice(1)]
  assertPage(t, page, new URL('flow.txt', import.meta.url))
})
