import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { Glyph } from '../../parts/glyph.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Loaded, Skeleton } from '../../parts/skeleton.tsx'
import { titleOf } from '../../parts/title.ts'
import type { Schemas } from '../../platform/client.ts'
import { formatNumber, named, nameOf } from '../../platform/language.ts'
import { at } from '../../platform/router.ts'
import { accessOf, apps, type Profile, roles } from './data.ts'
import { type Source, sourcesOf } from './sources.ts'
import { t } from './texts.ts'

type Access = Schemas['EffectiveAccess']
type App = Schemas['AppInAdminList']
const SHOWN = 8

type Listed = Pick<App, 'id' | 'nameAr' | 'nameEn'>
interface AppsProps<A extends Listed> {
  all: readonly A[]
  isFolded: boolean
  /** The link of an item. */
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

function From({ source, person }: { source: Source; person: Profile }) {
  const { kind, name } = source
  const group = kind === 'group' ? person.groups.find((one) => one.name === name) : undefined
  const role = kind === 'role' ? roles.data?.find((one) => one.name === name) : undefined
  const title = titleOfSource(source, person)
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

/** Everything that a person sees, by source, and how much they do not see. */
export const Opens = ({ person }: { person: Profile }) => (
  <Loaded of={accessOf(person.id)} shape={<Skeleton count={3} height={7} />}>
    {(access) => (
      <Loaded of={apps} shape={<Skeleton count={3} height={7} />}>
        {(all) => <Whole person={person} access={access} active={all.filter(({ isActive }) => isActive)} />}
      </Loaded>
    )}
  </Loaded>
)

interface WholeProps {
  person: Profile
  access: Access
  /** All active apps. */
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
        {withheld.length === 0 ? t.seesAll(name, formatNumber(seen.size)) : t.sees(name, formatNumber(seen.size), t.apps(active.length))}
      </p>
      {sources
        .filter((source) => gives(source).length > 0)
        .map((source) => (
          <section key={`${source.kind} ${source.name}`} class="user-source">
            <From source={source} person={person} />
            <div class="user-gives">
              <Gives source={source} />
            </div>
          </section>
        ))}
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
