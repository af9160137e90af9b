/** Who is asking, and what they may do now. */
import type { Language } from '../../tables.ts'

export interface Access {
  /** Names of the effective roles, sorted. */
  roles: readonly string[]
  permissions: ReadonlySet<string>
  groups: readonly { id: number; name: string; descriptionAr: string | null; descriptionEn: string | null }[]
  groupIds: ReadonlySet<number>
}

/** Whoever has one of the roles, and the permission where there is one. */
export interface Guard {
  /** What the document calls them. */
  name: string
  roles: readonly string[]
  permission?: string
}
/** Which kind of person a route admits: a word, the permission they must hold, or a guard of a feature's own. */
export type Allow = 'anyone' | 'signed-in' | 'admin' | `${string}.${string}` | Guard
export const nameOf = (allow: Allow) => (typeof allow === 'string' ? allow : allow.name)

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

  /** Whether a route open to that kind of person admits this one. */
  mayEnter(allow: Allow) {
    if (allow === 'anyone' || allow === 'signed-in') return true
    if (allow === 'admin') return this.isAdmin
    if (typeof allow === 'string') return this.can(allow)
    return allow.roles.some((role) => this.access.roles.includes(role)) && (allow.permission === undefined || this.can(allow.permission))
  }

  get isAdmin() {
    return this.access.roles.includes('admin')
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
