import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { Combobox } from '../../../parts/forms/combobox.tsx'
import { useSaving } from '../../../parts/forms/saving.ts'
import { Switch } from '../../../parts/forms/switch.tsx'
import { Dialog } from '../../../parts/overlay/dialog.tsx'
import { say } from '../../../parts/overlay/toasts.tsx'
import { Button } from '../../../parts/show/button.tsx'
import { attempt } from '../../../parts/show/failures.ts'
import { Icon } from '../../../parts/show/icon.tsx'
import { PersonLine } from '../../../parts/show/lines.tsx'
import { Section } from '../../../parts/show/section.tsx'
import { Loaded } from '../../../parts/show/skeleton.tsx'
import { identities } from '../../../people/security/data.ts'
import type { Schemas } from '../../../platform/client.ts'
import { answer, api } from '../../../platform/client.ts'
import { named, nameOf } from '../../../platform/language.ts'
import { at } from '../../../platform/router.ts'
import { changeSettings, MOST_EXCEPTIONS, proveBy, providers, type Settings, setException, useRequirements } from './data.ts'
import { t } from './texts.ts'

type Readiness = Schemas['SignInRequirements']

/** Makes everybody except a few administrators sign in through a provider. The switch works once all conditions are met. */
export function Required({ now }: { now: Settings }) {
  return (
    <Section name="required" title={t.required} hint={t.requiredHint}>
      <Loaded of={useRequirements()}>{(state) => <Conditions now={now} state={state} />}</Loaded>
    </Section>
  )
}

function Conditions({ now, state }: { now: Settings; state: Readiness }) {
  const isOn = now.passwords === 'exceptions'
  const isAsking = useSignal(false)
  const { isBusy, problem, run } = useSaving(async (passwords: Settings['passwords']) => {
    await changeSettings({ passwords })
    isAsking.value = false
    say({ text: passwords === 'exceptions' ? t.requiredOn : t.requiredOff })
  })
  const isMet = (rule: Readiness['conditions'][number]['rule']) => state.conditions.some((one) => one.rule === rule && one.isMet)
  const isReady = state.conditions.every((one) => one.isMet)
  const mayProve = providers.data?.filter(({ isActive }) => isActive) ?? []
  const isOwn = (slug: string) => identities.data?.some(({ provider }) => provider.slug === slug)
  const close = () => {
    isAsking.value = false
  }
  return (
    <>
      <Exceptions of={state.exceptions} />
      {!isOn && (
        <ul class="ways-conditions">
          <Condition isMet={isMet('exceptions')} text={t.conditions.exceptions} />
          <Condition isMet={isMet('exceptionPassword') && isMet('exceptions')} text={t.conditions.exceptionPassword} />
          <Condition isMet={isMet('exceptionFactor') && isMet('exceptions')} text={t.conditions.exceptionFactor} />
          <Condition isMet={isMet('ownProviderSignIn')} text={t.conditions.ownProviderSignIn}>
            {mayProve.length === 0 ? (
              <p class="quiet small">{t.noActive}</p>
            ) : (
              <div class="ways-acts">
                {mayProve.map((one) =>
                  isOwn(one.slug) ? (
                    <Button key={one.id} icon="external-link" onClick={() => attempt(proveBy(one.slug))}>
                      {t.proveBy(named(one))}
                    </Button>
                  ) : (
                    <a key={one.id} class="link" href={at('/account/security#connected')}>
                      {t.connectFirst(named(one))}
                    </a>
                  ),
                )}
              </div>
            )}
          </Condition>
        </ul>
      )}
      <Switch
        label={t.requiredSwitch}
        hint={isOn ? t.requiredIsOn : !isReady ? t.notYet : t.requiredSwitchHint}
        on={isOn}
        disabled={!isOn && !isReady}
        change={(on) => {
          if (on) isAsking.value = true
          else run('everyone')
        }}
      />
      <p class="error" role="alert">
        {!isAsking.value && problem}
      </p>
      {isAsking.value && (
        <Dialog
          title={t.requiredAsk}
          close={close}
          end={
            <>
              <Button onClick={close}>{t.cancel}</Button>
              <Button kind="main" isBusy={isBusy} onClick={() => run('exceptions')}>
                {t.requiredYes}
              </Button>
            </>
          }
        >
          <ul class="ways-follows">
            {t.requiredFollows.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
          <p class="error" role="alert">
            {problem}
          </p>
        </Dialog>
      )}
    </>
  )
}

function Condition({ isMet, text, children }: { isMet: boolean; text: string; children?: ComponentChildren }) {
  return (
    <li data-met={isMet || undefined}>
      <Icon name={isMet ? 'circle-check' : 'circle'} />
      <div>
        <p>
          {text} <span class="unseen">{isMet ? t.isMet : t.isNotMet}</span>
        </p>
        {!isMet && children}
      </div>
    </li>
  )
}

const searchAdministrators = (typed: string) =>
  answer(api.GET('/users', { params: { query: { role: 'admin', status: 'active', limit: 20, ...(typed && { q: typed.slice(0, 200) }) } } }))

/** Administrators who can still sign in by password, for the day on which the provider does not answer. */
function Exceptions({ of: all }: { of: Readiness['exceptions'] }) {
  const change = async (id: number, name: string, is: boolean) => {
    if (await attempt(setException(id, is))) say({ text: is ? t.exceptionAdded(name) : t.exceptionRemoved(name) })
  }
  return (
    <div class="ways-exceptions">
      <div>
        <h3>{t.exceptions}</h3>
        <p class="quiet small">{t.exceptionsHint}</p>
      </div>
      {all.length > 0 && (
        <ul class="ways-people">
          {all.map(({ hasPassword, hasFactor, ...person }) => (
            <li key={person.id}>
              <div class="ways-who">
                <a href={at(`/admin/users/${person.id}`)}>
                  <PersonLine person={person} />
                </a>
                {!hasPassword && (
                  <span class="chip" data-kind="warn">
                    {t.noLongPassword}
                  </span>
                )}
                {!hasFactor && (
                  <span class="chip" data-kind="warn">
                    {t.noFactor}
                  </span>
                )}
              </div>
              <Button
                kind="plain"
                icon="x"
                aria-label={t.removeException(nameOf(person))}
                onClick={() => change(person.id, nameOf(person), false)}
              />
            </li>
          ))}
        </ul>
      )}
      {all.length < MOST_EXCEPTIONS && (
        <Combobox
          label={t.addException}
          placeholder={t.findAdministrator}
          eager
          find={searchAdministrators}
          id={({ id }) => id}
          off={({ id }) => (all.some((one) => one.id === id) ? t.alreadyException : undefined)}
          choose={(person) => void change(person.id, nameOf(person), true)}
        >
          {(person) => <PersonLine person={person} />}
        </Combobox>
      )}
    </div>
  )
}
