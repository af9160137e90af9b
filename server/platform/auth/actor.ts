/** Who is asking, and what they may do now. */
import type { Language } from '../../tables.ts'
import type { Allow } from '../http/endpoint.ts'

export interface Access {
  /** Names of the effective roles, sorted. */
  roles: readonly string[]
  permissions: ReadonlySet<string>
  groups: readonly { id: number; name: string; descriptionAr: string | null; descriptionEn: string | null }[]
  groupIds: ReadonlySet<number>
}

export const executiveRoles = [
  'admin',
  'executive_ceo',
  'executive_office_manager',
  'executive_coord_lead',
  'executive_coordinator',
  'executive_viewer',
]

export class Actor {
  readonly id: number
  readonly username: string
  readonly language: Language
  readonly access: Access
  /** Moves whenever an answer about this person could change: the user's version and the portal's epoch. */
  readonly version: number
  readonly epoch: number
  #memos = new Map<unknown, unknown>()

  constructor(parts: { id: number; username: string; language: Language; access: Access; version: number; epoch: number }) {
    this.id = parts.id
    this.username = parts.username
    this.language = parts.language
    this.access = parts.access
    this.version = parts.version
    this.epoch = parts.epoch
  }

  /** Whether some effective role holds the permission; being an administrator does not stand in for one. */
  can(permission: string) {
    return this.access.permissions.has(permission)
  }

  /** Whether a route open to that kind of person admits this one. The executive permissions are nothing without an executive role. */
  mayEnter(allow: Allow) {
    if (allow === 'anyone' || allow === 'signed-in') return true
    if (allow === 'admin') return this.isAdmin
    if (allow === 'executive') return this.isExecutive
    return this.can(allow) && (!allow.startsWith('executive_meetings.') || this.isExecutive)
  }

  get isAdmin() {
    return this.access.roles.includes('admin')
  }

  get isExecutive() {
    return executiveRoles.some((role) => this.access.roles.includes(role))
  }

  /** An answer that holds as long as this actor does; an actor does not outlive its version and epoch. A failure is not kept. */
  remember<T>(question: unknown, answer: () => Promise<T>): Promise<T> {
    let known = this.#memos.get(question) as Promise<T> | undefined
    if (!known) {
      known = answer()
      this.#memos.set(question, known)
      known.catch(() => this.#memos.delete(question))
    }
    return known
  }
}
