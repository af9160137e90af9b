import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { EndChip } from '../../../parts/show/ends/end-chip.tsx'
import { Glyph } from '../../../parts/show/glyph.tsx'
import { Icon } from '../../../parts/show/icon.tsx'
import { Loaded, Skeleton } from '../../../parts/show/skeleton.tsx'
import { titleOf } from '../../../parts/show/title.ts'
import type { Schemas } from '../../../platform/client.ts'
import { shortDay } from '../../../platform/dates.ts'
import { formatNumber, named, nameOf } from '../../../platform/language.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { at } from '../../../platform/router.ts'
import { askedMoment } from '../shared/past/moment.ts'
import { When } from '../shared/past/when.tsx'
import { accessOf, apps, type Profile, roles } from './data.ts'
import { endsOf } from './ends.ts'
import { type Source, sourcesOf } from './sources.ts'
import { t } from './texts.ts'

type Access = Schemas['EffectiveAccess']
type App = Schemas['AppInAdminList']
const SHOWN = 8

type Listed = Pick<App, 'id' | 'nameAr' | 'nameEn'>
interface AppsProps<A extends Listed> {
  all: readonly A[]
  isFolded: boolean
  hrefOf?: (app: A) => string
}
function Apps<A extends Listed>({ all, isFolded, hrefOf }: AppsProps<A>) {
  const isWhole = useSignal(!isFolded)
  const known = new Map(apps.data?.map((app) => [app.id, app]))
  const shown = isWhole.value ? all : all.slice(0, SHOWN)
  return (
    <ul class="user-apps">
      {shown.map((app) => {
        const whole = known.get(app.id)
        return (
          <li key={app.id}>
            {whole && (
              <span class="mini" style={{ '--color': whole.color }} aria-hidden="true">
                <Glyph app={whole} size={16} />
              </span>
            )}
            {hrefOf ? (
              <a href={hrefOf(app)}>
                <bdi>{named(app)}</bdi>
              </a>
            ) : (
              <bdi>{named(app)}</bdi>
            )}
          </li>
        )
      })}
      {all.length > SHOWN && isFolded && (
        <li>
          <button
            type="button"
            class="link"
            aria-expanded={isWhole.value}
            onClick={() => {
              isWhole.value = !isWhole.value
            }}
          >
            {isWhole.value ? t.less : t.more(all.length - SHOWN)}
          </button>
        </li>
      )}
    </ul>
  )
}

const roleTitle = (name: string) => {
  const role = roles.data?.find((one) => one.name === name)
  return role ? titleOf(role) : name
}

function titleOfSource({ kind, name }: Source, { groups }: Profile) {
  if (kind === 'admin') return t.admin
  if (kind === 'open') return t.open
  const group = groups.find((one) => one.name === name)
  return kind === 'role' ? roleTitle(name) : group ? titleOf(group) : name
}

/** The end, as known at a past moment, of the membership or direct role behind a source. */
function endThen({ kind, name }: Source, { roles: held, apps: seen }: Access) {
  const sources =
    kind === 'role'
      ? held.filter((role) => role.name === name).flatMap(({ from }) => from.filter(({ via }) => via === 'direct'))
      : [...held.flatMap(({ from }) => from), ...seen.flatMap(({ reasons }) => reasons)].filter(({ groupName }) => groupName === name)
  return sources[0]?.expiresAt
}

interface FromProps {
  source: Source
  person: Profile
  /** The person's access at a moment of the past. */
  then?: Access | undefined
}
function From({ source, person, then }: FromProps) {
  const { kind, name } = source
  const group = kind === 'group' ? person.groups.find((one) => one.name === name) : undefined
  const role = kind === 'role' ? roles.data?.find((one) => one.name === name) : undefined
  const title = titleOfSource(source, person)
  const ended = then && endThen(source, then)
  const ends = then ? null : group ? endsOf(person).groups.get(group.id) : role && endsOf(person).roles.get(role.id)
  const place = group ? `groups/${group.id}` : role && `roles/${role.id}`
  return (
    <div class="user-from">
      <span class="quiet small">{t.from[kind]}</span>
      <h2>
        {place ? (
          <a href={at(`/admin/${place}`)}>
            <bdi>{title}</bdi>
          </a>
        ) : (
          <bdi>{title}</bdi>
        )}
      </h2>
      <EndChip at={ends} />
      {ended && <span class="quiet small">{t.until(shortDay(ended))}</span>}
    </div>
  )
}

const gives = ({ given }: Source) => given.filter(({ apps }) => apps.length > 0)

function Gives({ source }: { source: Source }): ComponentChildren {
  return gives(source).map(({ roleName, apps }) => (
    <div key={roleName}>
      <p class="quiet small">
        {roleName ? t.byRole(roleTitle(roleName), t.opens(apps.length)) : source.kind === 'group' ? t.byGroup : t.apps(apps.length)}
      </p>
      <Apps all={apps} isFolded={source.kind === 'open' || source.kind === 'admin'} />
    </div>
  ))
}

/** The apps that a person sees, by source, now or at a moment of the past. */
export function Opens({ person }: { person: Profile }) {
  const moment = askedMoment()
  const access = accessOf(person.id, moment)
  const [before, after] = (moment ? t.openedAt : t.opensAt)(nameOf(person)).split('{at}')
  const isUnknown = moment && access.error instanceof Refusal && access.error.status === 404
  return (
    <>
      <p class="user-when">
        {before}
        <When at={moment} />
        {after}
      </p>
      {isUnknown ? (
        <p class="user-sees">{t.notYet}</p>
      ) : (
        <Loaded of={access} shape={<Skeleton count={3} height={7} />}>
          {(data) => (
            <Loaded of={apps} shape={<Skeleton count={3} height={7} />}>
              {(all) =>
                moment ? (
                  <Then key={moment} person={person} access={data} />
                ) : (
                  <Whole person={person} access={data} active={all.filter(({ isActive }) => isActive)} />
                )
              }
            </Loaded>
          )}
        </Loaded>
      )}
    </>
  )
}

const Sources = ({ of, ...rest }: Omit<FromProps, 'source'> & { of: readonly Source[] }) =>
  of.map((source) => (
    <section key={`${source.kind} ${source.name}`} class="user-source">
      <From source={source} {...rest} />
      <div class="user-gives">
        <Gives source={source} />
      </div>
    </section>
  ))

/** The apps that the person saw at a moment of the past, by source. */
function Then({ person, access }: { person: Profile; access: Access }) {
  const count = access.apps.length
  return (
    <>
      <p class="user-sees">{count === 0 ? t.sawNothing : t.saw(t.apps(count))}</p>
      <Sources of={sourcesOf(access, []).filter((source) => gives(source).length > 0)} person={person} then={access} />
    </>
  )
}

interface WholeProps {
  person: Profile
  access: Access
  active: readonly App[]
}
function Whole({ person, access, active }: WholeProps) {
  const name = nameOf(person)
  const seen = new Set(access.apps.map(({ id }) => id))
  if (!person.isActive) return <p class="user-sees">{t.asleep(name)}</p>
  if (active.length === 0) return <p class="user-sees">{t.noApps}</p>
  const withheld = active.filter(({ id }) => !seen.has(id))
  const sources = sourcesOf(
    access,
    person.groups.map((group) => group.name),
  )
  const empty = sources.filter((source) => gives(source).length === 0)
  return (
    <>
      <p class="user-sees">
        {withheld.length === 0 ? t.seesAll(name, seen.size) : t.sees(name, formatNumber(seen.size), t.apps(active.length))}
      </p>
      <Sources of={sources.filter((source) => gives(source).length > 0)} person={person} />
      {empty.length > 0 && <p class="quiet small">{t.nothing(empty.map((source) => titleOfSource(source, person)))}</p>}
      {withheld.length > 0 && (
        <section class="user-withheld">
          <Icon name="circle-help" />
          <div>
            <p>{t.withheld(t.apps(withheld.length))}</p>
            <Apps all={withheld} isFolded hrefOf={({ id }) => at(`/admin/access?user=${person.id}&app=${id}`)} />
          </div>
        </section>
      )}
    </>
  )
}
