import { useSaving } from '../../../parts/forms/saving.ts'
import { Switch } from '../../../parts/forms/switch.tsx'
import { ConfirmedButton } from '../../../parts/overlay/confirmed-button.tsx'
import { say } from '../../../parts/overlay/toasts.tsx'
import { Icon } from '../../../parts/show/icon.tsx'
import { Moment } from '../../../parts/show/moment.tsx'
import { Loaded } from '../../../parts/show/skeleton.tsx'
import { present } from '../../../platform/ago.ts'
import { invalidateRecord, resource } from '../../../platform/cache.ts'
import { answer, api, type Schemas } from '../../../platform/client.ts'
import { longDay } from '../../../platform/dates.ts'
import { named, nameOf } from '../../../platform/language.ts'
import { MOST_EXCEPTIONS, setException, useRequirements } from '../sign-in/data.ts'
import { type Profile, personChanged } from './data.ts'
import { t } from './security-texts.ts'

type Ways = Schemas['UserFactors']

const waysOf = (id: number) => resource('/users/{id}/factors', { path: { id } })
const identitiesOf = (id: number) => resource('/users/{id}/identities', { path: { id } })

function changed(id: number) {
  for (const path of ['/users/{id}/factors', '/users/{id}/identities'] as const) invalidateRecord(path, id)
  personChanged(id)
}

/** The ways in which a person signs in, their second factors, and actions for a person who has lost them. */
export function Security({ person }: { person: Profile }) {
  return (
    <Loaded of={waysOf(person.id)}>
      {(ways) => (
        <div class="user-security">
          <Factors person={person} ways={ways} />
          <Exception person={person} />
          <Identities person={person} />
        </div>
      )}
    </Loaded>
  )
}

const hasFactor = ({ passkeyCount, totpSince }: Ways) => passkeyCount > 0 || totpSince !== null

/** Short sentences about the ways in which a person signs in. */
const said = (ways: Ways) => [
  ways.hasPassword ? t.password : t.noPassword,
  ...(ways.passkeyCount > 0 ? [t.passkeys(ways.passkeyCount)] : []),
  ...(ways.totpSince ? [t.totp(longDay(ways.totpSince))] : []),
  hasFactor(ways) ? t.codes(ways.recoveryCodesLeft) : t.noFactor,
]

function Factors({ person, ways }: { person: Profile; ways: Ways }) {
  const { id } = person
  const name = nameOf(person)
  const { duty } = ways
  return (
    <section>
      <h2>{t.factors}</h2>
      <ul class="user-facts">
        {said(ways).map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
      {duty && !hasFactor(ways) && (
        <p class="user-owed">
          <Icon name="triangle-alert" size={18} />
          {new Date(duty.until) < present() ? t.overdue(longDay(duty.until)) : t.due(longDay(duty.until))}
        </p>
      )}
      {hasFactor(ways) && (
        <ConfirmedButton
          act={t.removeFactors}
          hint={t.removeFactorsHint(name)}
          keep={t.keep}
          run={async () => {
            await answer(api.DELETE('/users/{id}/factors', { params: { path: { id } } }))
            changed(id)
            say({ text: t.factorsRemoved(name) })
          }}
        />
      )}
    </section>
  )
}

/** Whether an administrator may sign in by password where everybody else must go through a provider. */
function Exception({ person }: { person: Profile }) {
  const { id, isActive, roles } = person
  const { problem, run } = useSaving(async (is: boolean) => {
    await setException(id, is)
    say({ text: is ? t.excepted(nameOf(person)) : t.exceptedNoMore(nameOf(person)) })
  })
  const all = useRequirements().data?.exceptions
  const own = all?.find((one) => one.id === id)
  if (!all || !(own || (isActive && roles.includes('admin')))) return null
  const isFull = !own && all.length >= MOST_EXCEPTIONS
  return (
    <section>
      <h2>{t.exception}</h2>
      <Switch
        label={t.exceptionSwitch}
        hint={isFull ? t.exceptionsFull : t.exceptionHint}
        on={own !== undefined}
        disabled={isFull}
        change={run}
      />
      {own && !(own.hasPassword && own.hasFactor) && (
        <p class="user-owed">
          <Icon name="triangle-alert" size={18} />
          {[...(own.hasPassword ? [] : [t.lacksPassword]), ...(own.hasFactor ? [] : [t.lacksFactor])].join(' ')}
        </p>
      )}
      <p class="error" role="alert">
        {problem}
      </p>
    </section>
  )
}

function Identities({ person }: { person: Profile }) {
  const { id } = person
  return (
    <section>
      <h2>{t.identities}</h2>
      <Loaded of={identitiesOf(id)}>
        {(all) =>
          all.length === 0 ? (
            <p class="quiet">{t.noIdentities}</p>
          ) : (
            <ul class="user-list">
              {all.map(({ id: identityId, provider, email, subject, lastUsedAt }) => (
                <li key={identityId}>
                  <Icon name="link" />
                  <span class="grow">
                    <bdi>{named(provider)}</bdi>
                    <span class="quiet small user-detail">
                      {email && <bdi dir="ltr">{email}</bdi>}
                      <bdi dir="ltr">{subject}</bdi>
                      {lastUsedAt && <Moment at={lastUsedAt} />}
                    </span>
                  </span>
                  <ConfirmedButton
                    act={t.unlink}
                    label={t.unlinkNamed(named(provider))}
                    hint={t.unlinkHint(nameOf(person), named(provider))}
                    keep={t.keep}
                    run={async () => {
                      await answer(api.DELETE('/users/{id}/identities/{identityId}', { params: { path: { id, identityId } } }))
                      changed(id)
                      say({ text: t.unlinked(named(provider)) })
                    }}
                  />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </section>
  )
}
