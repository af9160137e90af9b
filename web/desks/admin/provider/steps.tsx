import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { useSaving } from '../../../parts/forms/saving.ts'
import { Button } from '../../../parts/show/button.tsx'
import { CopyText } from '../../../parts/show/copy-text.tsx'
import { Icon } from '../../../parts/show/icon.tsx'
import { failureAt } from '../../../parts/show/provider-failures.ts'
import { inLanguage, listed } from '../../../platform/language.ts'
import { at, queryValue } from '../../../platform/router.ts'
import { stateOf } from '../shared/provider/state.ts'
import { type Check, checkProvider, type Provider, type Trial, tryProvider } from '../sign-in/data.ts'
import { Activation } from './activation.tsx'
import { Removal } from './removal.tsx'
import { t } from './texts.ts'

interface StepsProps {
  provider: Provider
  isChanged: boolean
  wasTried: boolean
  trial: Trial | undefined
}

function Step({ title, isDone, children }: { title: string; isDone: boolean; children: ComponentChildren }) {
  return (
    <li class="ways-step" data-done={isDone || undefined}>
      <h2>
        <Icon name={isDone ? 'circle-check' : 'circle'} size={18} />
        {title}
        {isDone && <span class="unseen">{t.isDone}</span>}
      </h2>
      {children}
    </li>
  )
}

/** The remaining steps until people can sign in through the provider, in order. */
export function Steps({ provider, isChanged, wasTried, trial }: StepsProps) {
  return (
    <aside class="ways-aside">
      <p class="quiet small" role="status">
        {stateOf(provider)}
      </p>
      <ol class="ways-steps" aria-label={t.steps}>
        <Step title={t.stepEnter} isDone={provider.isChecked}>
          <p class="small quiet">{t.stepEnterHint}</p>
          <CopyText label={t.redirectUrl} value={provider.redirectUrl} />
          <CopyText label={t.backchannelUrl} value={provider.backchannelUrl} />
          {provider.jwksUrl && <CopyText label={t.jwksUrl} value={provider.jwksUrl} />}
        </Step>
        <Step title={t.stepCheck} isDone={provider.isChecked}>
          <Checking id={provider.id} isChanged={isChanged} />
        </Step>
        <Step title={t.stepTry} isDone={trial !== undefined && trial.outcome !== 'refused'}>
          <Trying id={provider.id} isChanged={isChanged} wasTried={wasTried} trial={trial} />
        </Step>
        <Step title={t.stepOn} isDone={provider.isActive}>
          <Activation provider={provider} />
        </Step>
      </ol>
      <Removal provider={provider} />
    </aside>
  )
}

function Checking({ id, isChanged }: { id: number; isChanged: boolean }) {
  const found = useSignal<Check | undefined>(undefined)
  const { isBusy, problem, run } = useSaving(async () => {
    found.value = await checkProvider(id)
  })
  const { algorithms = [], backchannelLogout, clockSeconds, problems = [] } = found.value ?? {}
  return (
    <>
      <p class="small quiet">{isChanged ? t.saveFirst : t.stepCheckHint}</p>
      <Button icon="activity" isBusy={isBusy} disabled={isChanged} onClick={() => run()}>
        {t.check}
      </Button>
      <div role="status">
        {found.value && (
          <>
            {problems.length === 0 && <p class="ways-good">{t.checked}</p>}
            <ul class="ways-problems">
              {problems.map(({ code, messageAr, messageEn }) => (
                <li key={code} class="error">
                  {inLanguage(messageAr, messageEn)}
                </li>
              ))}
            </ul>
            <p class="small quiet">
              {[
                ...(algorithms.length > 0 ? [t.algorithms(algorithms.join(', '))] : []),
                // Support for sign-out by the provider is unknown if the provider was not reached.
                ...(problems.length > 0 ? [] : [backchannelLogout ? t.hasBackchannel : t.noBackchannel]),
                ...(clockSeconds ? [t.clock(Math.abs(clockSeconds))] : []),
              ].join(' ')}
            </p>
          </>
        )}
      </div>
      <p class="error" role="alert">
        {problem}
      </p>
    </>
  )
}

function Trying({ id, isChanged, wasTried, trial }: { id: number; isChanged: boolean; wasTried: boolean; trial: Trial | undefined }) {
  const { isBusy, problem, run } = useSaving(() => tryProvider(id))
  const failed = queryValue('tried')
  const box = useRef<HTMLDivElement>(null)
  // Scroll to the outcome: the person has just come back from the provider and waits for it.
  useLayoutEffect(() => {
    if (wasTried && (trial || failed !== 'yes')) box.current?.scrollIntoView({ block: 'center' })
  }, [trial === undefined])
  return (
    <>
      <p class="small quiet">{isChanged ? t.saveFirst : t.stepTryHint}</p>
      <Button icon="log-in" isBusy={isBusy} disabled={isChanged} onClick={() => run()}>
        {t.try}
      </Button>
      <div ref={box} role="status">
        {wasTried && !trial && failed !== 'yes' && <p class="error">{failureAt(failed)}</p>}
        {trial && <Outcome of={trial} />}
      </div>
      <p class="error" role="alert">
        {problem}
      </p>
    </>
  )
}

/** The result that a sign-in of this administrator through the provider would have had. */
function Outcome({ of: { outcome, reason, user, groupsGained, groupsLost, claims } }: { of: Trial }) {
  return (
    <>
      <p class={outcome === 'refused' ? 'error' : 'ways-good'}>{t.outcomes[outcome]}</p>
      {outcome === 'refused' && reason && (
        <p class="small">{Object.hasOwn(t.refused, reason) ? t.refused[reason as keyof typeof t.refused] : failureAt(reason)}</p>
      )}
      {user && (
        <p class="small">
          <a class="link" href={at(`/admin/users/${user.id}`)}>
            <bdi>{user.username}</bdi>
          </a>
        </p>
      )}
      {groupsGained.length > 0 && <p class="small">{t.gains(listed(groupsGained))}</p>}
      {groupsLost.length > 0 && <p class="small">{t.loses(listed(groupsLost))}</p>}
      <details>
        <summary class="link small">{t.allClaims}</summary>
        <dl class="ways-claims" dir="ltr">
          {Object.entries(claims).map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{typeof value === 'string' ? value : JSON.stringify(value)}</dd>
            </div>
          ))}
        </dl>
      </details>
    </>
  )
}
