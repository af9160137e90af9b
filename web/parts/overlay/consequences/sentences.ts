/** Turns a preview into sentences. The names in a sentence are isolated, and the panel shows them in bold. */
import { formatNumber, isolated, listed, named, nameOf } from '../../../platform/language.ts'
import { titleOf } from '../../show/title.ts'
import type { Gain, Impact } from './shapes.ts'
import { t } from './texts.ts'

export interface Sentence {
  kind: 'lose' | 'gain' | 'warn' | 'keep' | 'time'
  text: string
}

/** The most people that a sentence names. If there are more, it gives their number instead. */
const NAMED = 3
/** The most apps or roles that a sentence names. */
const THINGS = 4
/**
 * If there are more than four different losses (or gains), this many get a sentence of their own, and one last sentence covers the
 * remaining people.
 */
const SENTENCES = 3

const namesOf = (people: readonly Gain['user'][]) => listed(people.map((person) => isolated(nameOf(person))))
const peopleOf = (people: readonly Gain['user'][], count = people.length) => (count <= NAMED ? namesOf(people) : t.people(count))

const thingsOf = (all: string[], count: number) => {
  const names = all.slice(0, count > THINGS ? THINGS - 1 : THINGS).map(isolated)
  return listed(count > names.length ? [...names, t.others(count - names.length)] : names)
}

const appsOf = ({ apps }: Gain) => apps.map(named)
const rolesOf = ({ roles }: Gain) => roles.map(titleOf)

/**
 * A key by which people with the same gains or losses are grouped. Roles count only if there are no apps, because a sentence about apps
 * names no roles.
 */
const alike = (gain: Gain) =>
  JSON.stringify([gain.appsCount, gain.apps.map(({ id }) => id), gain.apps.length ? [] : gain.roles.map(({ id }) => id)])

interface Frames {
  kind: Sentence['kind']
  apps: typeof t.losesApps
  roles: typeof t.losesRoles
  more: (people: string) => string
}

function sentencesFor(gains: readonly Gain[], count: number, { kind, apps, roles, more }: Frames): Sentence[] {
  if (count === 0) return []
  // The list is truncated, so one sentence names some of its people and does not say what each loses or gains.
  if (count > gains.length)
    return [{ kind, text: more(t.among(t.people(count), listed(gains.slice(0, NAMED).map(({ user }) => isolated(nameOf(user)))))) }]
  const groups = [...Map.groupBy(gains, alike).values()].toSorted((one, other) => other.length - one.length)
  const shown = groups.length > SENTENCES + 1 ? groups.slice(0, SENTENCES) : groups
  const rest = groups.slice(shown.length).flat().length
  return [
    ...shown.map((group): Sentence => {
      const [one] = group as [Gain]
      const people = peopleOf(group.map(({ user }) => user))
      const isOne = group.length === 1
      const text =
        one.appsCount > 0
          ? apps(people, thingsOf(appsOf(one), one.appsCount), one.appsCount, isOne)
          : roles(people, thingsOf(rolesOf(one), one.rolesCount), one.rolesCount, isOne)
      return { kind, text }
    }),
    ...(rest > 0 ? [{ kind, text: more(t.otherPeople(rest)) }] : []),
  ]
}

function viaOf({ via: { via, groupName, permissionName }, role }: Gain['keeps'][number]) {
  if (via === 'admin') return t.viaAdmin
  if (via === 'unrestricted') return t.viaEveryone
  return groupName ? t.viaGroup(isolated(groupName)) : t.viaRole(isolated(role ? titleOf(role) : (permissionName ?? '')))
}

/** Sentences about people who lose one reason to see an app but keep the app for another. They state the reason that remains. */
function keeping({ loses, keeps, keepsCount }: Impact): Sentence[] {
  const all = [...loses, ...keeps].filter((gain) => gain.keeps.length > 0)
  const count = all.length + keepsCount - keeps.length
  if (count > NAMED) return [{ kind: 'keep', text: t.keepsMore(t.people(count)) }]
  const groups = Map.groupBy(all, ({ keeps }) => JSON.stringify(keeps.map(({ app, via }) => [app.id, via])))
  return [...groups.values()].map((group) => {
    const [{ keeps, keepsCount }] = group as [Gain]
    const apps = thingsOf(
      keeps.map(({ app }) => named(app)),
      keepsCount,
    )
    const ways = [...new Set(keeps.map(viaOf))]
    return { kind: 'keep', text: t.keepsApps(peopleOf(group.map(({ user }) => user)), apps, keepsCount, group.length === 1, listed(ways)) }
  })
}

/** The consequences of saving, the most important first. */
export function sentencesOf(impact: Impact): Sentence[] {
  const { self, becomesAdmin, becomesAdminCount, ordersReturned, ordersReturnedCount } = impact
  const lost = sentencesFor(impact.loses, impact.losesCount, { kind: 'lose', apps: t.losesApps, roles: t.losesRoles, more: t.losesMore })
  const gained = sentencesFor(impact.gains, impact.gainsCount, { kind: 'gain', apps: t.gainsApps, roles: t.gainsRoles, more: t.gainsMore })
  const [order] = ordersReturned
  const isOneOrder = ordersReturnedCount === 1 && order
  const warn = (text: string | false | undefined): Sentence[] => (text ? [{ kind: 'warn', text }] : [])
  return [
    ...warn(self.losesAdmin && t.ownAdmin),
    ...lost,
    ...gained,
    ...warn(becomesAdminCount > 0 && t.admins(peopleOf(becomesAdmin, becomesAdminCount))),
    ...warn(
      isOneOrder
        ? t.order(isolated(nameOf(order.user)), isolated(named(order.service)))
        : ordersReturnedCount > 0 && t.orders(ordersReturnedCount),
    ),
    ...warn(impact.sessionsEnded > 0 && t.sessions(impact.sessionsEnded)),
    ...keeping(impact),
    ...(lost.length === 0 ? [{ kind: 'keep' as const, text: gained.length === 0 ? t.nobody : t.nobodyLoses }] : []),
    ...(impact.unaffectedCount > 0 ? [{ kind: 'keep' as const, text: t.unaffected(impact.unaffectedCount) }] : []),
  ]
}

/** The label of the button: the outcome. */
export function outcomeOf({ losesCount, gainsCount }: Impact, verb: string) {
  const parts = [...(losesCount > 0 ? [t.lose(losesCount)] : []), ...(gainsCount > 0 ? [t.gain(gainsCount)] : [])]
  return parts.length > 0 ? t.outcome(verb, parts) : verb
}

/** The line of one person in the full list: all losses or gains of the person. */
export const lineOf = (gain: Gain) => {
  const things = [...gain.apps.map(named), ...gain.roles.map(titleOf)]
  const more = gain.appsCount + gain.rolesCount - things.length
  return listed(more > 0 ? [...things, t.others(more)] : things)
}

/** A text that says how many entries of a truncated list are shown; '' if all are shown. */
export const shownOf = (shown: number, all: number) => (shown < all ? t.first(formatNumber(shown), formatNumber(all)) : '')
