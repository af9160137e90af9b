import type { Language } from '../../platform/tables.ts'

/** The claims of a provider about a person, named as in its settings. */
export interface Claimed {
  subject: string
  username: string | null
  /** The person's `externalId` at the source that the provider's settings name. */
  external: string | null
  email: string | null
  isEmailVerified: boolean
  nameAr: string | null
  nameEn: string | null
  language: Language | null
  /** The URL of a picture, for a new account; null unless it is an https URL. */
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
