/** The person, or the program, that makes a request, and their rights. */
import type { Language } from '../tables.ts'

export interface Access {
  /** Names of the effective roles, sorted. */
  roles: readonly string[]
  permissions: ReadonlySet<string>
  groups: readonly { id: number; name: string; descriptionAr: string | null; descriptionEn: string | null }[]
  groupIds: ReadonlySet<number>
}

/** Allows people with one of the roles and, if given, the permission. */
export interface Guard {
  /** The name in the OpenAPI document. */
  name: string
  roles: readonly string[]
  permission?: string
}
/** Which kind of person may call an endpoint: a word, a required permission, or a feature's own guard. `source`: a directory alone. */
export type Allow = 'anyone' | 'signed-in' | 'admin' | 'source' | `${string}.${string}` | Guard
export const nameOf = (allow: Allow) => (typeof allow === 'string' ? allow : allow.name)

interface Parts {
  id: number
  kind: 'person' | 'service'
  username: string
  language: Language
  access: Access
  version: number
  epoch: number
  edition: number
}

/** The limits of a token's writes. */
export interface Limits {
  scopes: readonly string[]
  /** The scope without which a permission does not count, by permission. */
  scopeOf: ReadonlyMap<string, string>
  /** Whether the role `admin` counts, as it does with the scope `admin:write` and in commands for administrators. */
  asAdmin: boolean
}

export class Actor {
  readonly id: number
  /** `service` is the account of a program. */
  readonly kind: 'person' | 'service'
  readonly username: string
  readonly language: Language
  readonly access: Access
  /** The person's version and the access epoch. The person's rights change only together with one of them. */
  readonly version: number
  readonly epoch: number
  /** The sum of the access epoch and the version of texts. An answer about the person changes only together with this or `version`. */
  readonly edition: number
  #memos = new Map<unknown, unknown>()
  /** The limits of a token; null in a browser, and while a token reads. */
  readonly #limits: Limits | null
  /** The limits for writes by the token, kept while it reads with all rights of its owner. */
  #limitsOfWrites: Limits | null = null

  constructor(parts: Parts, limits: Limits | null = null) {
    this.#limits = limits
    this.id = parts.id
    this.kind = parts.kind
    this.username = parts.username
    this.language = parts.language
    this.access = parts.access
    this.version = parts.version
    this.epoch = parts.epoch
    this.edition = parts.edition
  }

  /** Whether an effective role holds the permission, and the token's scopes cover it. The role `admin` alone does not imply it. */
  can(permission: string) {
    const scope = this.#limits?.scopeOf.get(permission)
    return this.access.permissions.has(permission) && (scope === undefined || this.hasScope(scope))
  }

  /** False only for a token without the scope. */
  hasScope(scope: string) {
    return this.#limits === null || this.#limits.scopes.includes(scope)
  }

  /** This account, limited to the rights of one of its tokens. */
  limitedTo(limits: Limits) {
    return new Actor(this, limits)
  }

  /** This account, which reads with all its rights, but writes with those of one of its tokens. */
  limitedInWrites(limits: Limits) {
    const reader = new Actor(this)
    reader.#memos = this.#memos
    reader.#limitsOfWrites = limits
    return reader
  }

  /** This account with the rights that it has in commands. An answer that says what the caller may do uses these rights. */
  get asWriter(): Actor {
    return this.#limitsOfWrites ? new Actor(this, this.#limitsOfWrites) : this
  }

  /** This account with all its rights, as in a browser. */
  get unlimited(): Actor {
    return this.#limits ? new Actor(this) : this
  }

  /** Whether an endpoint with this `allow` is open to the actor. */
  mayEnter(allow: Allow) {
    if (allow === 'anyone' || allow === 'signed-in') return true
    if (allow === 'admin') return this.isAdmin
    // Such endpoints also require a scope that only a source's token has.
    if (allow === 'source') return this.kind === 'service'
    if (typeof allow === 'string') return this.can(allow)
    return allow.roles.some((role) => this.access.roles.includes(role)) && (allow.permission === undefined || this.can(allow.permission))
  }

  get isAdmin() {
    return (this.#limits?.asAdmin ?? true) && this.access.roles.includes('admin')
  }

  /** Caches an answer for the life of the actor: until `version` or `edition` changes. A failure is not cached. */
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
