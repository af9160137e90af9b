import { useSignal } from '@preact/signals'
import { Button } from '../parts/button.tsx'
import { Section } from '../parts/section.tsx'
import { Loaded } from '../parts/skeleton.tsx'
import { NewTokenDialog } from '../parts/tokens/new-token.tsx'
import { mayGive, type Scope } from '../parts/tokens/scopes.ts'
import { TokenList } from '../parts/tokens/tokens.tsx'
import { isAdmin, rights } from '../platform/session.ts'
import { t as security } from './texts.ts'
import { makeToken, revokeToken, tokens } from './tokens-data.ts'
import { t } from './tokens-texts.ts'

const MOST_DAYS = 365

/** The person's API tokens. */
export function Tokens() {
  const isAdding = useSignal(false)
  const permissions = new Set(rights.data?.permissions)
  const mayOffer = (scope: Scope) => mayGive(scope, { isAdmin: isAdmin.value, permissions })
  return (
    <Section name="tokens" title={security.tokens} hint={t.hint}>
      <Loaded of={tokens}>
        {(all) => (all.length > 0 ? <TokenList tokens={all} revoke={({ id }) => revokeToken(id)} /> : <p class="quiet">{t.none}</p>)}
      </Loaded>
      <Button
        icon="plus"
        onClick={() => {
          isAdding.value = true
        }}
      >
        {t.add}
      </Button>
      {isAdding.value && (
        <NewTokenDialog
          title={t.fresh}
          mayGive={mayOffer}
          mostDays={MOST_DAYS}
          make={makeToken}
          close={() => {
            isAdding.value = false
          }}
        />
      )}
    </Section>
  )
}
