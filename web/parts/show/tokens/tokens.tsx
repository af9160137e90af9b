import './tokens.css'
import { ago } from '../../../platform/ago.ts'
import { exactly } from '../../../platform/dates.ts'
import { isolated } from '../../../platform/language.ts'
import { ConfirmedButton } from '../../overlay/confirmed-button.tsx'
import { say } from '../../overlay/toasts.tsx'
import { EndChip } from '../ends/end-chip.tsx'
import { Icon } from '../icon.tsx'
import { Key } from '../lines.tsx'
import { inWords, type Token } from './scopes.ts'
import { t } from './texts.ts'

/** Says when a token was last used, and from which address. */
export const LastUse = ({ of: { lastUsedAt, lastUsedIp } }: { of: Token }) =>
  lastUsedAt ? (
    <span title={exactly(lastUsedAt)}>
      {t.used(ago(lastUsedAt))} {lastUsedIp && <bdi>{t.from(isolated(lastUsedIp))}</bdi>}
    </span>
  ) : (
    <span>{t.neverUsed}</span>
  )

/** The tokens of one owner, the earliest end first. */
export function TokenList({ tokens, revoke }: { tokens: readonly Token[]; revoke: (token: Token) => Promise<unknown> }) {
  return (
    <ul class="token-list">
      {tokens.map((token) => (
        <li key={token.id}>
          <Icon name="key-round" size={22} />
          <div>
            <p class="token-name">
              <bdi>{token.name}</bdi> <EndChip at={token.expiresAt} />
            </p>
            <p class="small">{inWords(token.scopes)}</p>
            <p class="quiet small token-facts">
              <LastUse of={token} />
              <span>
                {t.ending} <Key>{token.lastFour}</Key>
              </span>
            </p>
          </div>
          <ConfirmedButton
            act={t.revoke}
            label={t.revokeNamed(token.name)}
            hint={t.revokeHint}
            keep={t.keep}
            run={async () => {
              await revoke(token)
              say({ text: t.revoked(isolated(token.name)) })
            }}
          />
        </li>
      ))}
    </ul>
  )
}
