/** The life cycle of orders as a readable table, the people involved, and orders in every state. */
import { before } from 'node:test'
import { ascending } from './makers.ts'
import { type Answer, type Client, type TestPortal, until } from './portal.ts'
import { uploads } from './uploads.ts'

/**
 * The answer to each caller for each target: `ok`, or 401 `unauthorized`, 403 `forbidden`, 400 `invalid_transition`, 409 `already_claimed`,
 * and `late` once undo is no longer possible (400 `undo_window_expired`).
 */
const table = `
to:                     pending   received  preparing  completed  cancelled  claim   delete

pending
  stranger              401       401       401        401        401        401     401
  passer-by             403       403       403        403        403        403     403
  owner                 400       400       403        403        ok         403     403
  other receiver        403       403       403        403        403        ok      ok
  admin                 400       400       400        400        ok         ok      ok
  owner and receiver    400       400       403        403        ok         ok      ok

received
  stranger              401       401       401        401        401        401     401
  passer-by             403       403       403        403        403        403     403
  owner                 400       400       403        403        ok         403     403
  assignee              403       403       ok         ok         ok         409     ok
  other receiver        403       403       403        403        403        409     403
  admin                 400       400       ok         ok         ok         409     ok
  owner and receiver    400       400       ok         ok         ok         409     ok
  former receiver       403       403       403        403        403        403     403

preparing
  stranger              401       401       401        401        401        401     401
  passer-by             403       403       403        403        403        403     403
  owner                 400       400       403        403        400        403     403
  assignee              403       403       400        ok         ok         409     ok
  other receiver        403       403       403        403        403        409     403
  admin                 400       400       400        ok         ok         409     ok
  owner and receiver    400       400       400        ok         ok         409     ok
  former receiver       403       403       403        403        403        403     403

completed
  stranger              401       401       401        401        401        401     401
  passer-by             403       403       403        403        403        403     403
  owner                 400       400       403        403        400        403     ok
  assignee              403       403       400        400        400        409     403
  other receiver        403       403       403        403        403        409     403
  admin                 400       400       400        400        ok         409     ok
  owner and receiver    400       400       400        400        400        409     ok
  former receiver       403       403       403        403        403        403     403

completed, unassigned
  stranger              401       401       401        401        401        401     401
  passer-by             403       403       403        403        403        403     403
  owner                 400       400       403        403        400        403     ok
  other receiver        403       403       403        403        403        409     403
  admin                 400       400       400        400        ok         409     ok
  owner and receiver    400       400       403        403        400        409     ok

cancelled, unassigned
  stranger              401       401       401        401        401        401     401
  passer-by             403       403       403        403        403        403     403
  owner                 ok        400       403        403        400        403     ok
  other receiver        403       403       403        403        403        409     403
  admin                 ok        400       400        400        400        409     ok
  owner and receiver    ok        400       403        403        400        409     ok

cancelled
  stranger              401       401       401        401        401        401     401
  passer-by             403       403       403        403        403        403     403
  owner                 400       ok        403        403        400        403     ok
  assignee              403       403       400        400        400        409     403
  other receiver        403       403       403        403        403        409     403
  admin                 400       ok        400        400        400        409     ok
  owner and receiver    400       ok        400        400        400        409     ok
  former receiver       403       403       403        403        403        403     403

cancelled, unassigned, late
  stranger              401       401       401        401        401        401     401
  passer-by             403       403       403        403        403        403     403
  owner                 late      400       403        403        400        403     ok
  other receiver        403       403       403        403        403        409     403
  admin                 late      400       400        400        400        409     ok
  owner and receiver    late      400       403        403        400        409     ok

cancelled, late
  stranger              401       401       401        401        401        401     401
  passer-by             403       403       403        403        403        403     403
  owner                 400       late      403        403        400        403     ok
  assignee              403       403       400        400        400        409     403
  other receiver        403       403       403        403        403        409     403
  admin                 400       late      400        400        400        409     ok
  owner and receiver    400       late      400        400        400        409     ok
  former receiver       403       403       403        403        403        403     403
`

export type Target = 'pending' | 'received' | 'preparing' | 'completed' | 'cancelled' | 'claim' | 'delete'
export type Verdict = 'ok' | 'late' | '400' | '401' | '403' | '409'
/** For each state and each caller, the expected result for each target. */
type Table = Record<string, Record<string, Record<Target, Verdict>>>

function read(text: string): Table {
  const [head, ...blocks] = text.trim().split('\n\n')
  const targets = head!.split(/ +/).slice(1)
  const rowOf = (line: string) => {
    const [caller, ...cells] = line.trim().split(/ {2,}/)
    if (cells.length !== targets.length) throw new Error(`a cell is missing: ${line}`)
    return [caller, Object.fromEntries(cells.map((cell, n) => [targets[n], cell]))]
  }
  return Object.fromEntries(
    blocks.map((block) => {
      const [state, ...lines] = block.split('\n')
      return [state, Object.fromEntries(lines.map(rowOf))]
    }),
  )
}
export const flow = read(table)

/** The expected `next` for a caller: exactly the targets to which they may move the order, including a claim. */
export const nextOf = (state: string, caller: string) => {
  const row = flow[state]?.[caller]
  const isOpen = (target: Target) => row?.[target] === 'ok' || (target === 'received' && row?.claim === 'ok')
  return (['pending', 'received', 'preparing', 'completed', 'cancelled'] as const).filter(isOpen)
}

export const act = (who: Client, target: Target, id: number): Promise<Answer> => {
  if (target === 'delete') return who.delete(`/orders/${id}`)
  if (target === 'claim') return who.patch(`/orders/${id}/confirm-receipt`)
  return who.patch(`/orders/${id}/status`, { status: target })
}

export interface OrderRow {
  id: number
  service_id: number
  user_id: number
  assigned_to: number | null
  notes: string | null
  status: string
  created_at: Date
  updated_at: Date
  cancelled_at: Date | null
}
interface Placing {
  state: string
  owner: { id: number }
  assignee?: { id: number } | undefined
  notes?: string
  serviceId?: number
  /** Seconds since the cancellation; 60 in a `late` state. */
  cancelledFor?: number
}

const huda = { displayNameAr: 'هدى', displayNameEn: 'Huda' }

/** The callers in the table, and a service to order. */
export function orderPortal(portal: TestPortal) {
  const callers: Record<string, Client> = {}
  let service = { id: 0, nameAr: '', nameEn: '', imageUrl: null as string | null }
  before(async () => {
    // The hooks of a file start concurrently.
    await portal.ready
    callers['stranger'] = portal.stranger()
    callers['admin'] = portal.admin
    callers['passer-by'] = await portal.person('passerby')
    callers['owner'] = await portal.person('owner', huda)
    for (const receiver of ['assignee', 'other receiver', 'owner and receiver', 'former receiver'])
      callers[receiver] = await portal.person(receiver.replaceAll(' ', '.'), { roles: ['order_receiver'] })
    await portal.admin.delete(`/users/${callers['former receiver']!.id}/roles/order_receiver`)
    const fields = { nameAr: 'قهوة', nameEn: 'Coffee', descriptionEn: 'Black', imageUrl: await uploads(portal).picture() }
    const { id, nameAr, nameEn, imageUrl } = (await portal.admin.post('/services', fields)).body
    service = { id, nameAr, nameEn, imageUrl }
  })

  /** An order in a state of the table, written directly to the database. */
  async function place({ state, owner, assignee, notes, serviceId = service.id, cancelledFor }: Placing) {
    const [status, ...rest] = state.split(', ')
    const hasAssignee = status !== 'pending' && !rest.includes('unassigned')
    const seconds = cancelledFor ?? (rest.includes('late') ? 60 : 0)
    const [row] = await portal.sql<OrderRow>(
      `with noted as (insert into ledger (kind, target_type, target_id, facts) values ('test.placed', 'user', $2, '{}'))
       insert into orders (service_id, user_id, assigned_to, notes, status, created_at, updated_at, cancelled_at)
       values ($1, $2, $3, $4, $5, now() - interval '1 hour', now() - interval '30 minutes',
         case when $5 = 'cancelled' then clock_timestamp() - make_interval(secs => $6) end) returning *`,
      [serviceId, owner.id, hasAssignee ? assignee!.id : null, notes ?? null, status, seconds],
    )
    return row!
  }

  /** The ids of the receivers. */
  const receivers = () => ascending(['admin', 'assignee', 'other receiver', 'owner and receiver'].map((name) => callers[name]!.id))

  /** The event that tells receivers of a change of an order. */
  const incomingChanged = ({ id: orderId, status, assigned_to: assignedTo }: OrderRow, change: string) => ({
    event: 'order_incoming_changed',
    data: { orderId, status, assignedTo, change },
    to: receivers(),
  })

  function personOf(id: number | null, others: Client[]) {
    if (id === null) return null
    const { username } = [...Object.values(callers), ...others].find((person) => person.id === id)!
    const names = id === callers['owner']!.id ? huda : { displayNameAr: null, displayNameEn: null }
    return { id, username, ...names, avatarUrl: null }
  }

  return {
    place,
    /** The client of a caller that the table names. */
    who: (name: string) => callers[name]!,
    receivers,
    service: () => service,
    incomingChanged,
    /** The events of the deletion of an order. */
    deletionOf: (row: OrderRow) => [
      { event: 'order_deleted', data: { orderId: row.id }, to: ascending([...new Set([row.user_id, row.assigned_to ?? row.user_id])]) },
      incomingChanged(row, 'deleted'),
    ],
    /** The fields of an order that all readers get. `others` are people whom the order names and the table does not. */
    sentOf: (row: OrderRow, ...others: Client[]) => ({
      id: row.id,
      serviceId: row.service_id,
      userId: row.user_id,
      assignedTo: row.assigned_to,
      notes: row.notes,
      status: row.status,
      createdAt: row.created_at.toISOString(),
      updatedAt: row.updated_at.toISOString(),
      service,
      requester: personOf(row.user_id, others),
      assignee: personOf(row.assigned_to, others),
    }),
    /** Resolves when the people and the service exist. Hooks start concurrently, so one that needs them must wait. */
    whenReady: () => until('the portal is open', () => service.id),

    /** An order in a state of the table, with the caller as owner or assignee if the caller's row says so. */
    placeFor(state: string, caller: string) {
      const owner = caller === 'owner and receiver' ? caller : 'owner'
      const assignee = caller === 'owner and receiver' || caller === 'former receiver' ? caller : 'assignee'
      return place({ state, owner: callers[owner]!, assignee: callers[assignee]!, notes: 'No sugar' })
    },

    rowOf: async (id: number) => (await portal.sql<OrderRow>('select * from orders where id = $1', [id]))[0],
  }
}
