/** The life cycle of meeting requests as a table, the callers in the table, and requests in every state. */
import { before } from 'node:test'
import { ascending } from './makers.ts'
import { type Answer, type Client, type TestPortal, until } from './portal.ts'

/** The answer to each caller for each action: `ok`, or 401 `unauthorized`, 403 `forbidden`, 400 `invalid_transition`. */
const table = `
asked:                  approved  rejected  needs_edit  withdraw  resubmit

pending
  stranger              401       401       401         401       401
  passer-by             403       403       403         403       403
  former requester      403       403       403         403       403
  approver at large     403       403       403         403       403
  viewer                403       403       403         403       403
  another requester     403       403       403         403       403
  requester             403       403       403         ok        400
  reviewer              ok        ok        ok          403       403
  own reviewer          403       403       403         ok        400
  admin                 ok        ok        ok          403       403
  own admin             ok        ok        ok          ok        400

needs_edit
  stranger              401       401       401         401       401
  passer-by             403       403       403         403       403
  former requester      403       403       403         403       403
  approver at large     403       403       403         403       403
  viewer                403       403       403         403       403
  another requester     403       403       403         403       403
  requester             403       403       403         ok        ok
  reviewer              400       400       400         403       403
  own reviewer          403       403       403         ok        ok
  admin                 400       400       400         403       403
  own admin             400       400       400         ok        ok

approved, rejected, withdrawn
  stranger              401       401       401         401       401
  passer-by             403       403       403         403       403
  former requester      403       403       403         403       403
  approver at large     403       403       403         403       403
  viewer                403       403       403         403       403
  another requester     403       403       403         403       403
  requester             403       403       403         400       400
  reviewer              400       400       400         403       403
  own reviewer          403       403       403         400       400
  admin                 400       400       400         403       403
  own admin             400       400       400         400       400
`

export const asks = ['approved', 'rejected', 'needs_edit', 'withdraw', 'resubmit'] as const
export type Ask = (typeof asks)[number]
export type State = 'pending' | 'needs_edit' | 'approved' | 'rejected' | 'withdrawn'
export type Verdict = 'ok' | '400' | '401' | '403'

const [, ...blocks] = table.trim().split('\n\n')
const rowOf = (line: string) => {
  const [caller, ...cells] = line.trim().split(/ {2,}/) as [string, ...Verdict[]]
  if (cells.length !== asks.length) throw new Error(`a cell is missing: ${line}`)
  return [caller, Object.fromEntries(asks.map((ask, n) => [ask, cells[n]])) as Record<Ask, Verdict>] as const
}
/** For each state and each caller, the expected result of each action. */
export const life = Object.fromEntries(
  blocks.flatMap((block) => {
    const [states, ...lines] = block.split('\n')
    return states!.split(', ').map((state) => [state, Object.fromEntries(lines.map(rowOf))] as const)
  }),
) as Record<State, Record<string, Record<Ask, Verdict>>>

/** The expected `next` for a caller: exactly the actions that they may take. */
export const nextOf = (state: State, caller: string) => asks.filter((ask) => life[state][caller]?.[ask] === 'ok')

export const REQUESTS = '/executive-meetings/requests'

export const act = (who: Client, ask: Ask, id: number, more: object = {}): Promise<Answer> =>
  who.patch(`${REQUESTS}/${id}`, ask === 'withdraw' || ask === 'resubmit' ? { action: ask, ...more } : { status: ask, ...more })

export interface RequestRow {
  id: number
  meeting_id: number | null
  type: string
  details: Record<string, unknown>
  reason: string | null
  status: State
  review_notes: string | null
  requester_id: number | null
  reviewer_id: number | null
  reviewed_at: Date | null
  created_at: Date
  updated_at: Date
}

export const requestRow = async (portal: TestPortal, id: number) =>
  (await portal.sql<RequestRow>('select * from meeting_requests where id = $1', [id]))[0]

const roles: Record<string, string[]> = {
  'passer-by': [],
  'former requester': ['executive_coordinator'],
  viewer: ['executive_viewer'],
  requester: ['executive_coordinator'],
  'another requester': ['executive_coord_lead'],
  reviewer: ['executive_ceo'],
  'own reviewer': ['executive_office_manager'],
}

/** The callers in the table, and functions that make meetings and requests over HTTP. */
export function requestPortal(portal: TestPortal) {
  const callers: Record<string, Client> = {}
  let isReady = false
  before(async () => {
    // The hooks of a file start concurrently.
    await portal.ready
    callers['stranger'] = portal.stranger()
    callers['admin'] = portal.admin
    callers['own admin'] = portal.admin
    for (const [name, held] of Object.entries(roles))
      callers[name] = await portal.person(name.replaceAll(' ', '.'), { roles: held, displayNameAr: 'هدى', displayNameEn: 'Huda' })
    const permissions = (await portal.admin.get('/permissions')).body as { id: number; name: string }[]
    const approve = permissions.find(({ name }) => name === 'executive_meetings.approve')!.id
    const { id } = (await portal.admin.post('/roles', { name: 'at_large' })).body
    await portal.admin.put(`/roles/${id}/permissions`, { permissionIds: [approve] })
    callers['approver at large'] = await portal.person('approver.at.large', { roles: ['at_large'] })
    await portal.admin.delete(`/users/${callers['former requester']!.id}/roles/executive_coordinator`)
    isReady = true
  })
  const made = async <T>(sent: Promise<Answer>) => {
    const { status, body, text } = await sent
    if (status !== 201 && status !== 200) throw new Error(`${status} ${text}`)
    return body as T
  }
  const newMeeting = (fields: object = {}) =>
    made<{ id: number; date: string }>(
      portal.admin.post('/executive-meetings', { date: '2030-05-01', startTime: '09:00', endTime: '10:00', titleEn: 'Budget', ...fields }),
    )

  return {
    newMeeting,
    /** The client of a caller that the table names. */
    who: (name: string) => callers[name]!,
    /** `executives` are the ids of everyone with executive access, `approvers` those of everyone who decides on requests. */
    executives: () =>
      ascending(['admin', 'viewer', 'requester', 'another requester', 'reviewer', 'own reviewer'].map((name) => callers[name]!.id)),
    approvers: () => ascending(['admin', 'reviewer', 'own reviewer'].map((name) => callers[name]!.id)),
    whenReady: () => until('the portal is open', () => isReady),

    newRequest: (by: string | Client, fields: object) =>
      made<{ id: number }>((typeof by === 'string' ? callers[by]! : by).post(REQUESTS, fields)),

    /**
     * Makes a request to move a new meeting, and brings the request into `state`. Its requester is `caller` if the table calls them `own …`
     * or `former requester`, and `requester` otherwise.
     */
    async requestFor(state: State, caller: string) {
      const by = caller.startsWith('own') || caller === 'former requester' ? caller : 'requester'
      const meeting = await newMeeting()
      if (caller === 'former requester') await portal.admin.post(`/users/${callers[by]!.id}/roles`, { roleName: 'executive_coordinator' })
      const details = { startTime: '11:00', endTime: '12:00' }
      const { id } = await made<{ id: number }>(
        callers[by]!.post(`/executive-meetings/${meeting.id}/requests`, { type: 'reschedule', details }),
      )
      if (state === 'withdrawn') await made(act(callers[by]!, 'withdraw', id))
      else if (state !== 'pending') await made(act(callers['reviewer']!, state, id, { reviewNotes: 'Seen' }))
      if (caller === 'former requester') await portal.admin.delete(`/users/${callers[by]!.id}/roles/executive_coordinator`)
      return { id, meeting }
    },

    rowOf: (id: number) => requestRow(portal, id),
  }
}
