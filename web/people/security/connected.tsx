import { useSaving } from '../../parts/forms/saving.ts'
import { ConfirmedButton } from '../../parts/overlay/confirmed-button.tsx'
import { say } from '../../parts/overlay/toasts.tsx'
import { Button } from '../../parts/show/button.tsx'
import { Icon } from '../../parts/show/icon.tsx'
import { Section } from '../../parts/show/section.tsx'
import { Loaded } from '../../parts/show/skeleton.tsx'
import { ago } from '../../platform/ago.ts'
import { exactly, shortDay } from '../../platform/dates.ts'
import { named } from '../../platform/language.ts'
import { connect, disconnect, type Identity, identities, methods } from './data.ts'
import { t } from './texts.ts'

function Row({ identity }: { identity: Identity }) {
  const { id, provider, email, createdAt, lastUsedAt } = identity
  const name = named(provider)
  return (
    <li class="security-item">
      <Icon name="link" size={22} />
      <div>
        <p>
          <bdi>{name}</bdi>
        </p>
        <p class="quiet small security-facts">
          {email && <bdi dir="ltr">{email}</bdi>}
          <span title={exactly(lastUsedAt ?? createdAt)}>{lastUsedAt ? t.used(ago(lastUsedAt)) : t.neverUsed}</span>
          <span>{t.connectedOn(shortDay(createdAt))}</span>
        </p>
      </div>
      <ConfirmedButton
        act={t.disconnect}
        label={t.disconnectNamed(name)}
        hint={t.disconnectHint(name)}
        keep={t.keep}
        run={async () => {
          await disconnect(id)
          say({ text: t.disconnected(name) })
        }}
      />
    </li>
  )
}

/** The person's accounts at providers, with which they can sign in. */
export function Connected() {
  const { isBusy, problem, run } = useSaving(connect)
  return (
    <Section name="connected" title={t.connected} hint={t.connectedHint}>
      <Loaded of={identities}>
        {(all) => {
          const others = methods.data?.providers.filter(({ slug }) => all.every(({ provider }) => provider.slug !== slug)) ?? []
          return (
            <>
              {all.length > 0 && (
                <ul class="security-list">
                  {all.map((identity) => (
                    <Row key={identity.id} identity={identity} />
                  ))}
                </ul>
              )}
              <div class="security-acts">
                {others.map((provider) => (
                  <Button key={provider.slug} icon="plus" isBusy={isBusy} onClick={() => run(provider.slug)}>
                    {t.connect(named(provider))}
                  </Button>
                ))}
              </div>
            </>
          )
        }}
      </Loaded>
      <p class="error" role="alert">
        {problem}
      </p>
    </Section>
  )
}
