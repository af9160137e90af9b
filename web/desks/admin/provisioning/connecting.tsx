import { useSignal } from '@preact/signals'
import { Switch } from '../../../parts/forms/switch.tsx'
import { Button } from '../../../parts/show/button.tsx'
import { CopyText } from '../../../parts/show/copy-text.tsx'
import { attempt } from '../../../parts/show/failures.ts'
import { Section } from '../../../parts/show/section.tsx'
import { NewToken } from '../../../parts/show/tokens/new-token.tsx'
import { TokenList } from '../../../parts/show/tokens/tokens.tsx'
import { changeSource, makeToken, revokeToken, type Source } from './data.ts'
import { t } from './texts.ts'

const MOST_DAYS = 1095
const MOST_TOKENS = 2
const directories = ['entra', 'okta', 'authentik'] as const

/** A text in which braces mark names that a directory shows in English. */
const withNames = (text: string) =>
  text.split(/\{([^}]*)\}/).map((part, n) =>
    n % 2 === 1 ? (
      <bdi key={part} lang="en">
        {part}
      </bdi>
    ) : (
      part
    ),
  )

/** The values to enter in the directory, an address and a token, and the switch that turns the source on. */
export function Connecting({ source }: { source: Source }) {
  const { id, baseUrl, isActive, tokens } = source
  const isAdding = useSignal(false)
  return (
    <Section name="connect" title={t.connect} hint={t.connectHint}>
      <CopyText label={t.address} value={baseUrl} />
      <div class="provisioning-tokens">
        <h3>{t.tokens}</h3>
        <p class="quiet small">{tokens.length > 0 ? t.tokensHint : t.noTokens}</p>
        {tokens.length > 0 && (
          <TokenList tokens={tokens.map((token) => ({ ...token, scopes: ['scim'] }))} revoke={(token) => revokeToken(id, token.id)} />
        )}
        {tokens.length < MOST_TOKENS && (
          <Button icon="plus" onClick={() => (isAdding.value = true)}>
            {t.addToken}
          </Button>
        )}
      </div>
      {directories.map((one) => (
        <details key={one} class="provisioning-steps">
          <summary class="link">{t.steps[one].name}</summary>
          <ol>
            {t.steps[one].list.map((text) => (
              <li key={text}>{withNames(text)}</li>
            ))}
          </ol>
        </details>
      ))}
      <Switch label={t.active} hint={t.activeHint} on={isActive} change={(on) => attempt(changeSource(id, { isActive: on }))} />
      <NewToken
        isOpen={isAdding.value}
        title={t.newToken}
        mayGive={() => false}
        mostDays={MOST_DAYS}
        nameHint={t.tokenNameHint}
        make={(token) => makeToken(id, token)}
        close={() => {
          isAdding.value = false
        }}
      />
    </Section>
  )
}
