import '../shared/provider/ways.css'
import { useEffect } from 'preact/hooks'
import { useTitle } from '../../../frame/site.ts'
import { Ordered } from '../../../parts/lists/ordered/ordered.tsx'
import { undoOrder } from '../../../parts/lists/ordered/undoing.ts'
import { addressDialog } from '../../../parts/overlay/address-dialog.ts'
import { Hint } from '../../../parts/overlay/hint.tsx'
import { say } from '../../../parts/overlay/toasts.tsx'
import { Button } from '../../../parts/show/button.tsx'
import { Empty } from '../../../parts/show/empty.tsx'
import { attempt } from '../../../parts/show/failures.ts'
import { appIcon } from '../../../parts/show/glyph.tsx'
import { Icon } from '../../../parts/show/icon.tsx'
import { failureAt } from '../../../parts/show/provider-failures.ts'
import { Loaded } from '../../../parts/show/skeleton.tsx'
import { named } from '../../../platform/language.ts'
import { at, go, queryValue, setQuery } from '../../../platform/router.ts'
import { stateOf } from '../shared/provider/state.ts'
import { orderProviders, type Provider, providers, settings } from './data.ts'
import { NewProviderDialog } from './new-provider.tsx'
import { Required } from './required.tsx'
import { Rest } from './rest.tsx'
import { SecondFactor } from './second-factor.tsx'
import { t } from './texts.ts'

export const adding = addressDialog('new')

/** Handles the return from a provider: opens the provider that was tried, or says why a confirmation failed. */
function useReturn() {
  const [tried, failed] = ['tried', 'failed'].map(queryValue)
  const found = tried ? providers.data?.find(({ slug }) => slug === tried) : undefined
  useEffect(() => {
    if (found) go(`/admin/sign-in/${found.id}?tried=${failed || 'yes'}`, { replace: true })
  }, [found?.id])
  useEffect(() => {
    if (tried || !failed) return
    say({ text: failureAt(failed), kind: 'error' })
    setQuery({ failed: '' })
  }, [])
}

/** The settings of sign-in: the providers in their order, and the rules. */
export default function SignInPage() {
  useTitle(t.title)
  useReturn()
  return (
    <div class="ways">
      <div class="section-head">
        <h1>{t.title}</h1>
        <Button kind="main" icon="plus" onClick={() => adding.open(1)}>
          {t.add}
        </Button>
      </div>
      <Hint of="admin/sign-in">{t.purpose}</Hint>
      <section class="ways-providers" aria-label={t.providers}>
        <Loaded of={providers}>{(all) => <All all={all} />}</Loaded>
      </section>
      <Loaded of={settings}>
        {(now) => (
          <>
            <Required now={now} />
            <SecondFactor now={now} />
            <Rest now={now} />
          </>
        )}
      </Loaded>
      {adding.opened() && <NewProviderDialog close={adding.close} />}
    </div>
  )
}

async function save(order: Provider[], former: Provider[]) {
  if (await attempt(orderProviders(order)))
    say({ text: t.ordered, about: 'providers', undo: undoOrder(order, providers.peek, () => save(former, order)) })
}

function All({ all }: { all: Provider[] }) {
  if (all.length === 0)
    return (
      <Empty icon="link" title={t.none} act={<Button onClick={() => adding.open(1)}>{t.addFirst}</Button>}>
        {t.noneHint}
      </Empty>
    )
  return (
    <Ordered class="ways-list" label={t.providers} items={all} nameOf={named} save={save}>
      {(one) => (
        <a class="ways-row" href={at(`/admin/sign-in/${one.id}`)} data-off={!one.isActive || undefined}>
          <Icon name={appIcon(one.iconName)} size={24} />
          <span class="ways-names">
            <span class="ways-name">
              <bdi>{named(one)}</bdi>
              {!one.isActive && <span class="chip">{t.off}</span>}
              {one.isActive && !one.isReachable && (
                <span class="chip" data-kind="danger">
                  {t.unreachable}
                </span>
              )}
              {one.isDefault && (
                <span class="chip" data-kind="blue">
                  {t.isDefault}
                </span>
              )}
            </span>
            <span class="quiet small">{stateOf(one)}</span>
          </span>
          <Icon name="chevron-right" />
        </a>
      )}
    </Ordered>
  )
}
