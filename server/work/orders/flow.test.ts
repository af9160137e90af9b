/** Generates a page with the states and steps of an order from the tables of its rules. */
import { test } from 'node:test'
import { assertPage } from '../../../test/one-page.ts'
import { type Asker, mayDelete, nextStatuses, type OrderFacts, statuses, steps } from './rules.ts'

const somebody: Omit<Asker, 'id'> = { isAdmin: false, receives: () => false, leads: () => false, hasScope: () => true }
/** Administrators have the permission to receive, so they also count as receivers. */
const callers: Record<string, Asker> = {
  owner: { id: 1, ...somebody },
  assignee: { id: 2, ...somebody, receives: () => true },
  'any receiver': { id: 3, ...somebody, receives: () => true },
  lead: { id: 6, ...somebody, leads: () => true },
  admin: { id: 4, ...somebody, isAdmin: true },
  anybody: { id: 5, ...somebody },
}
const everyOrder = statuses.flatMap((status) =>
  [null, 2]
    .filter((assignedTo) => !(status === 'pending' && assignedTo) && !(/received|preparing/.test(status) && !assignedTo))
    .map((assignedTo): OrderFacts & { undoUntil: Date | null } => ({
      status,
      userId: 1,
      assignedTo,
      team: null,
      undoUntil: status === 'cancelled' ? new Date() : null,
    })),
)

const those = ({ assignedTo }: OrderFacts, fits: (caller: Asker) => boolean) =>
  Object.entries(callers)
    .filter(([name, caller]) => fits(caller) && !(name === 'assignee' && assignedTo === null))
    .map(([name]) => name)
    .join(', ')
const stateOf = ({ status, assignedTo }: OrderFacts) =>
  status === 'pending' ? status : `${status}, ${assignedTo ? 'claimed' : 'unclaimed'}`
const line = (from: string, to: string, by: string) => `  ${from.padEnd(22)}-> ${to.padEnd(10)} ${by}`

test('the page of the states and steps of an order is up to date', (t) => {
  const table = steps.map(({ from, to, by, undoes }) => {
    const when = undoes ? `, within 15 seconds, where it was ${undoes === 'assigned' ? 'claimed' : 'unclaimed'}` : ''
    return `  ${from.join(', ')} -> ${to}: ${by.join(', ')}${when}`
  })
  const moves = everyOrder.flatMap((order) =>
    statuses.map((to) => [order, to, those(order, (caller) => nextStatuses(order, caller).includes(to))] as const),
  )
  const deletions = everyOrder.map((order) =>
    line(
      stateOf(order),
      'gone',
      those(order, (caller) => mayDelete(order, caller)),
    ),
  )
  const page = [
    'The steps, besides the claim of a pending order by whichever receiver comes first',
    ...table,
    '',
    'People who move an order on, claims included',
    ...moves.filter(([, , by]) => by).map(([order, to, by]) => line(stateOf(order), to, by)),
    '',
    'People who delete it',
    ...deletions,
  ]
  assertPage(t, page, new URL('flow.txt', import.meta.url))
})
