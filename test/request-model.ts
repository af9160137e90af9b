/** A model of meeting requests: the effect and the answer of each command, and the view of each reader. */
export const names = ['viewer', 'requester', 'another requester', 'reviewer', 'own reviewer', 'admin', 'passer-by'] as const
export type Name = (typeof names)[number]
const decisions = ['approved', 'rejected', 'needs_edit'] as const
type Decision = (typeof decisions)[number]
export type Status = 'pending' | Decision | 'withdrawn'

interface Request {
  by: Name
  reviewer: Name | null
  status: Status
  text: string
}
export interface Model {
  requests: Record<number, Request>
  /** The approved notes of the meeting that the requests are about, sorted. */
  notes: string[]
}
export interface Command {
  who: Name
  does: 'ask' | 'withdraw' | 'resubmit' | Decision
  id: number
  text: string
}

export const isDecision = (does: Command['does']): does is Decision => decisions.includes(does as Decision)

function mayDo({ who, does }: Command, { by }: Request) {
  if (!isDecision(does)) return by === who
  return who === 'admin' || ((who === 'reviewer' || who === 'own reviewer') && by !== who)
}

/** Applies a command to the model; returns the portal's expected answer. */
function apply(model: Model, command: Command): string {
  const { who, does, id, text } = command
  if (who === 'passer-by') return '403 forbidden'
  if (does === 'ask') {
    if (who === 'viewer') return '403 forbidden'
    model.requests[id] = { by: who, reviewer: null, status: 'pending', text }
    return '201 pending'
  }
  const request = model.requests[id]
  if (!request) return '404 not_found'
  if (!mayDo(command, request)) return '403 forbidden'
  const isOpen = request.status === 'pending' || (request.status === 'needs_edit' && !isDecision(does))
  if (!isOpen || (does === 'resubmit' && request.status === 'pending')) return '400 invalid_transition'
  if (does === 'approved') model.notes = [...model.notes, request.text].toSorted()
  if (does === 'resubmit') request.text = text
  if (isDecision(does)) request.reviewer = who
  request.status = does === 'withdraw' ? 'withdrawn' : does === 'resubmit' ? 'pending' : does
  return `200 ${request.status}`
}

/** The requests that each reader sees, in the model and in the portal. */
export type Seen = Pick<Model, 'notes'> & { requests: Record<number, Request & { next: string[] }>[] }
export const readers = ['viewer', 'requester', 'own reviewer', 'reviewer', 'admin'] as const
const steps = [...decisions, 'withdraw', 'resubmit'] as const

export function seenIn(model: Model): Seen {
  const nextOf = (id: number, who: Name) =>
    steps.filter((does) => apply(structuredClone(model), { who, does, id, text: '' }).startsWith('200'))
  const requests = readers.map((who) =>
    Object.fromEntries(Object.entries(model.requests).map(([id, request]) => [id, { ...request, next: nextOf(Number(id), who) }])),
  )
  return { notes: model.notes, requests }
}

/** The possible states after simultaneous commands: one for each serial order that explains all answers. */
export function* serially(model: Model, commands: { command: Command; answer: string }[]): Generator<Model> {
  if (commands.length === 0) yield model
  for (const [n, { command, answer }] of commands.entries()) {
    const next = structuredClone(model)
    if (apply(next, command) === answer) yield* serially(next, commands.toSpliced(n, 1))
  }
}
