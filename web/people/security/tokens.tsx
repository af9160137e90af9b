import { mayGive } from '../../parts/show/tokens/scopes.ts'
import { TokensSection } from '../../parts/show/tokens/section.tsx'
import { isAdmin, rights } from '../../platform/session.ts'
import { overview } from './data.ts'
import { t as security } from './texts.ts'
import { makeToken, revokeToken, tokens } from './tokens-data.ts'
import { t } from './tokens-texts.ts'

export function Tokens() {
  const permissions = new Set(rights.data?.permissions)
  return (
    <TokensSection
      of={tokens}
      title={security.tokens}
      hint={t.hint}
      none={t.none}
      add={t.add}
      fresh={t.fresh}
      off={t.off}
      mayGive={(scope) => mayGive(scope, { isAdmin: isAdmin.value, permissions })}
      mostDays={overview.data?.mostTokenDays}
      make={makeToken}
      revoke={({ id }) => revokeToken(id)}
    />
  )
}
