/** Names and sentences of the items of a review. */
import { titleOf } from '../../../parts/show/title.ts'
import { ago } from '../../../platform/ago.ts'
import { shortDay } from '../../../platform/dates.ts'
import { isolated, nameOf } from '../../../platform/language.ts'
import type { Item } from '../data.ts'
import { t } from '../texts.ts'

/** The title of an item's group or role. */
export const grantOf = ({ group, role }: Item) => {
  const one = group ?? role
  return one ? titleOf(one) : ''
}
export const personOf = ({ person }: Item) => nameOf(person)
/** The address of the page of the person, of the service account, or of the source to which the service account belongs. */
export const pageOf = ({ person, isServiceAccount, sourceId }: Item) =>
  sourceId ? `/admin/provisioning/${sourceId}` : `/admin/${isServiceAccount ? 'service-accounts' : 'users'}/${person.id}`

/** Says since when the person has the grant, and who gave it. */
export const sinceOf = ({ since, grantedBy }: Item) =>
  since ? (grantedBy ? t.sinceBy(shortDay(since), isolated(nameOf(grantedBy))) : t.since(shortDay(since))) : t.sinceUnknown

/** Says when the grant was last used. */
export function useOf({ lastUsedAt, suggestion }: Item) {
  if (lastUsedAt) return suggestion === 'remove' ? t.unusedSince(ago(lastUsedAt)) : t.used(ago(lastUsedAt))
  return suggestion === 'remove' ? t.unused : t.noUse
}

/** Says when the person last signed in. A service account never does. */
export const signInOf = ({ lastSignInAt, isServiceAccount }: Item) =>
  lastSignInAt ? t.signedIn(ago(lastSignInAt)) : t.neverIn[isServiceAccount ? 'serviceAccount' : 'person']
