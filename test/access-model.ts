/** A naive model of the grants of people: their ends, and requests that become grants. Time is counted in days. */

export const NEVER = Number.POSITIVE_INFINITY
/** A request lapses as undecided after this many days. */
const UNDECIDED_AFTER = 14

export interface Setting {
  people: number
  /** The number of approvals that each group needs; 0: nobody can ask to join it. */
  approvals: readonly number[]
  /** The people who decide on requests. The administrator may decide, too, and is not among the people. */
  approvers: readonly number[]
  groupRoles: readonly (readonly number[])[]
  /** For each app, the roles and groups that show it. */
  apps: readonly { roles: readonly number[]; groups: readonly number[] }[]
}
export const ADMINISTRATOR = -1

export interface Request {
  person: number
  group: number
  days: number | null
  since: number
  status: 'pending' | 'approved' | 'denied' | 'withdrawn' | 'lapsed'
  lapseReason: 'undecided' | 'requester_gone' | 'already_member' | null
  /** The days that each approver allows. */
  approvals: Map<number, number | null>
}
export type Refused = 'already_member' | 'already_requested' | 'invalid_transition' | 'forbidden' | 'not_found'

export class AccessModel {
  now = 0
  readonly setting: Setting
  readonly active: boolean[]
  readonly requests: Request[] = []
  /** The end of each membership and direct role, by person and group or role. */
  readonly memberships = new Map<string, number>()
  readonly roles = new Map<string, number>()
  constructor(setting: Setting) {
    this.setting = setting
    this.active = Array(setting.people).fill(true)
  }

  endIn(grants: ReadonlyMap<string, number>, person: number, id: number) {
    const end = grants.get(`${person} ${id}`)
    return end !== undefined && end > this.now ? end : undefined
  }
  isMember = (person: number, group: number) => this.endIn(this.memberships, person, group) !== undefined

  /** Gives a grant, or changes the end of an existing one if `end` is given. */
  give(grants: Map<string, number>, person: number, id: number, end?: number) {
    const held = this.endIn(grants, person, id)
    grants.set(`${person} ${id}`, end ?? held ?? NEVER)
    this.settle()
  }
  take(grants: Map<string, number>, person: number, id: number) {
    grants.delete(`${person} ${id}`)
  }
  setActive(person: number, isActive: boolean) {
    this.active[person] = isActive
    this.settle()
  }
  pass(days: number) {
    this.now += days
    this.settle()
  }

  /** Makes pending requests lapse if they have become pointless or too old. */
  settle() {
    for (const request of this.requests) {
      if (request.status !== 'pending') continue
      const isMember = this.endIn(this.memberships, request.person, request.group) === NEVER
      const reason = !this.active[request.person]
        ? 'requester_gone'
        : isMember
          ? 'already_member'
          : this.now >= request.since + UNDECIDED_AFTER
            ? 'undecided'
            : null
      if (reason) Object.assign(request, { status: 'lapsed', lapseReason: reason })
    }
  }

  ask(person: number, group: number, days: number | null): Refused | undefined {
    if (this.endIn(this.memberships, person, group) === NEVER) return 'already_member'
    if (this.requests.some((one) => one.person === person && one.group === group && one.status === 'pending')) return 'already_requested'
    this.requests.push({ person, group, days, since: this.now, status: 'pending', lapseReason: null, approvals: new Map() })
    return undefined
  }

  #mayDecide = (by: number, { person }: Request) =>
    by !== person && (by === ADMINISTRATOR || (this.setting.approvers.includes(by) && this.active[by]!))

  /** Refuses a decision to people who may not know of the request, to its requester, and once the request is no longer pending. */
  #refusal(by: number, request: Request): Refused | undefined {
    if (by === request.person) return 'forbidden'
    if (!this.#mayDecide(by, request)) return 'not_found'
    return request.status === 'pending' ? undefined : 'invalid_transition'
  }

  approve(by: number, request: Request, days: number | null): Refused | undefined {
    const refusal = this.#refusal(by, request)
    if (refusal) return refusal
    request.approvals.set(by, days)
    const deciders = [ADMINISTRATOR, ...this.setting.approvers].filter((one) => this.#mayDecide(one, request))
    const counted = [...request.approvals].filter(([one]) => this.#mayDecide(one, request))
    if (counted.length < Math.min(this.setting.approvals[request.group]!, deciders.length)) return undefined
    request.status = 'approved'
    const lasting = [request.days, ...counted.map(([, allowed]) => allowed)].filter((one) => one !== null)
    const end = lasting.length ? this.now + Math.min(...lasting) : NEVER
    const held = this.endIn(this.memberships, request.person, request.group) ?? 0
    this.memberships.set(`${request.person} ${request.group}`, Math.max(end, held))
    return undefined
  }
  deny(by: number, request: Request) {
    const refusal = this.#refusal(by, request)
    if (!refusal) request.status = 'denied'
    return refusal
  }
  withdraw(request: Request): Refused | undefined {
    if (request.status !== 'pending') return 'invalid_transition'
    request.status = 'withdrawn'
    return undefined
  }

  groupsOf = (person: number) => this.setting.groupRoles.flatMap((_, group) => (this.isMember(person, group) ? [group] : []))
  rolesOf(person: number) {
    const through = this.groupsOf(person).flatMap((group) => this.setting.groupRoles[group]!)
    const all = new Set(this.setting.groupRoles.flat())
    return [...all].filter((role) => through.includes(role) || this.endIn(this.roles, person, role) !== undefined).sort()
  }
  appsOf(person: number) {
    const [roles, groups] = [this.rolesOf(person), this.groupsOf(person)]
    return this.setting.apps.flatMap((app, place) =>
      app.roles.some((role) => roles.includes(role)) || app.groups.some((group) => groups.includes(group)) ? [place] : [],
    )
  }
}
