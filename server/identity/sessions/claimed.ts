import type { Language } from '../../platform/tables.ts'

/** What a provider says of a person, by the names of its settings. */
export interface Claimed {
  subject: string
  username: string | null
  /** The person's id at the source of the same directory. */
  external: string | null
  email: string | null
  isEmailVerified: boolean
  nameAr: string | null
  nameEn: string | null
  language: Language | null
  /** The address of a picture, for a new account; null for anything that is no https address. */
  picture: string | null
  /** The values of the claim, or the ids of the groups that they stand for. Null if the claim is absent; then the person's groups stay. */
  groups: readonly string[] | readonly number[] | null
  /** The provider left the groups out because there are too many. */
  isOverage: boolean
  /** The person signed in at the provider within the last five minutes. */
  isFresh: boolean
  /** The provider asked for two factors. */
  isStrong: boolean
  sid: string | null
}
