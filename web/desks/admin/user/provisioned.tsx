import { ConfirmedButton } from '../../../parts/overlay/confirmed-button.tsx'
import { say } from '../../../parts/overlay/toasts.tsx'
import { Icon } from '../../../parts/show/icon.tsx'
import { invalidateRecord, resource } from '../../../platform/cache.ts'
import { answer, api } from '../../../platform/client.ts'
import { nameOf } from '../../../platform/language.ts'
import { at } from '../../../platform/router.ts'
import { sources } from '../provisioning/data.ts'
import { type Profile, personChanged } from './data.ts'
import { t } from './provisioned-texts.ts'

const standingOf = (id: number) => resource('/users/{id}/provisioning', { path: { id } }).data

const simple = (one: unknown) => (typeof one === 'object' && one !== null && 'value' in one ? one.value : one)
/** A value that the source sent, as one line of text. A list, such as that of addresses, is shown as its values. */
const written = (sent: unknown) =>
  [sent]
    .flat()
    .map(simple)
    .map((one) => (typeof one === 'object' ? JSON.stringify(one) : String(one)))
    .join(', ')

/**
 * The source that manages a person, with the values that it sent. If the account may belong to somebody other than the owner of its
 * address, a button hands it to that owner.
 */
export function Provisioned({ person }: { person: Profile }) {
  const standing = standingOf(person.id)
  if (!standing) return null
  const { source, userName, externalId, attributes, isSwitchedOff, isUnproven, hasOlderWays } = standing
  if (!source)
    return isUnproven && sources.data?.some(({ adoptPeople }) => adoptPeople) ? <HandOver person={person} why={t.unproven} /> : null
  const all = [['userName', userName], ['externalId', externalId], ...Object.entries(attributes)].filter(([, value]) => value !== null)
  return (
    <div class="user-provisioned">
      <p>
        <Icon name="link" size={18} />
        <span>
          {t.managedBy}{' '}
          <a class="link" href={at(`/admin/provisioning/${source.id}`)}>
            <bdi>{source.name}</bdi>
          </a>
          {isSwitchedOff ? t.switchedOff : t.overwrites}
        </span>
      </p>
      <details>
        <summary class="link small">{t.sent}</summary>
        <dl dir="ltr">
          {all.map(([name, value]) => (
            <div key={String(name)}>
              <dt lang="en">{String(name)}</dt>
              <dd>
                <bdi>{written(value)}</bdi>
              </dd>
            </div>
          ))}
        </dl>
      </details>
      {hasOlderWays && <HandOver person={person} why={t.olderWays} />}
    </div>
  )
}

function HandOver({ person, why }: { person: Profile; why: string }) {
  const { id } = person
  return (
    <div class="user-provisioned">
      <p>
        <Icon name="triangle-alert" size={18} />
        <span>{why}</span>
      </p>
      <ConfirmedButton
        act={t.handOver}
        hint={t.handOverHint(nameOf(person))}
        keep={t.keep}
        run={async () => {
          await answer(api.POST('/users/{id}/adoption', { params: { path: { id } } }))
          invalidateRecord('/users/{id}/provisioning', id)
          personChanged(id)
          say({ text: t.handedOver })
        }}
      />
    </div>
  )
}
