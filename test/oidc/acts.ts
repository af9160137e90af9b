/** Makes changes about sign-in providers without a provider that answers. */
import { type Change, changed } from '../../server/platform/changes/outcome.ts'
import type { Client, TestPortal } from '../portal.ts'

const names = { provider: 'entra', providerNameAr: 'حساب', providerNameEn: 'Account' }

/** For each kind of change about identities that reaches people, an act that makes a change of this kind. */
export function providerActs(portal: TestPortal, her: () => Client) {
  const make = (change: Change) => portal.instance.transact(null, async () => changed(null, change))
  return {
    'identity.linked': () => make({ kind: 'identity.linked', targetId: her().id, facts: names }),
    'identity.unlinked': () => make({ kind: 'identity.unlinked', targetId: her().id, facts: { provider: 'entra' } }),
    'account.cleared': () => {
      const removed = { factors: [], recoveryCodes: 0, identities: 1, tokens: 0, trustedDevices: 0, subscriptions: 0 }
      return make({ kind: 'account.cleared', targetId: her().id, facts: { username: her().username, ...removed } })
    },
    'provider.unreachable': () => make({ kind: 'provider.unreachable', targetId: 1, facts: { nameAr: 'حساب', nameEn: 'Account' } }),
    'group.admin_kept': () => {
      const facts = { provider: 'entra', userId: her().id, personAr: 'هدى', personEn: 'Huda' }
      return make({ kind: 'group.admin_kept', targetId: 1, facts })
    },
  }
}

/** Inserts a provider that no server answers for, with a rule and an identity. */
export async function insertProvider({ meddle }: Pick<TestPortal, 'meddle'>, { userId, groupId }: { userId: number; groupId: number }) {
  await meddle(
    'provider',
    1,
    `insert into sign_in_providers (id, slug, name_ar, name_en, issuer, client_id, client_auth, claims)
     values (1, 'work', 'العمل', 'Work', 'https://id.example.org', 'portal', 'none', '{}') on conflict do nothing`,
  )
  await meddle('provider', 1, `insert into provider_group_rules (provider_id, value, group_id) values (1, 'staff', ${groupId})`)
  await meddle('user', userId, `insert into identities (provider_id, subject, user_id) values (1, 'subject ${userId}', ${userId})`)
}
