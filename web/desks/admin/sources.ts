/** The sources of the palette and the finder in the administration: its places and its records. */
import type { Finding, PaletteSource } from '../../frame/palette.ts'
import type { IconName } from '../../parts/show/icon.tsx'
import { resource } from '../../platform/cache.ts'
import { answer, api } from '../../platform/client.ts'
import { inLanguage, named, nameOf } from '../../platform/language.ts'
import { addressOf, groups, overview, type Place } from './places.ts'
import { both, t } from './texts.ts'

const MOST = 6

/** The singular of a place's name in both languages, so that a search for it finds the place, too. */
const oneOf = (name: string) => (name in t.kinds ? [both.ar, both.en].map(({ kinds }) => kinds[name as keyof typeof kinds]) : [])

const placeFinding = (place: Place): Finding => ({
  id: `place ${addressOf(place)}`,
  group: 'pages',
  text: t.names[place.name],
  words: [both.ar.names[place.name], both.en.names[place.name], ...oneOf(place.name)],
  kind: t.title,
  icon: place.icon,
  path: addressOf(place),
  isTyped: true,
})

const settings: PaletteSource = {
  find: () =>
    (['names', 'registration', 'time-zone', 'currency'] as const).map((part) => ({
      id: `setting ${part}`,
      group: 'pages',
      text: t.settings[part],
      words: [both.ar.settings[part], both.en.settings[part]],
      kind: t.names.settings,
      icon: 'settings',
      path: `/admin/settings#${part}`,
      isTyped: true,
    })),
}
/** The page on which each action begins. */
const beginnings: [act: keyof typeof t.acts, icon: IconName, path: string][] = [
  ['invite', 'user-plus', '/admin/users?add=person'],
  ['import', 'upload', '/admin/users?add=file'],
  ['group', 'building-2', '/admin/groups?new=1'],
  ['role', 'id-card', '/admin/roles?new=1'],
  ['permission', 'key-round', '/admin/permissions?new=1'],
  ['app', 'boxes', '/admin/apps?new=1'],
  ['service', 'coffee', '/admin/services?new=1'],
  ['team', 'inbox', '/admin/teams?new=1'],
  ['calendar', 'clock', '/admin/calendars?new=1'],
  ['review', 'circle-check', '/admin/reviews?new=1'],
  ['program', 'bot', '/admin/service-accounts?new=1'],
  ['source', 'link', '/admin/provisioning?new=1'],
  ['webhook', 'send', '/admin/webhooks?new=1'],
  ['why', 'circle-help', '/admin/access'],
]
const acts: PaletteSource = {
  find: () =>
    beginnings.map(([act, icon, path]) => ({
      id: `act ${act}`,
      group: 'acts',
      text: t.acts[act],
      words: [both.ar.acts[act], both.en.acts[act]],
      icon,
      path,
      isTyped: true,
    })),
}
const people: PaletteSource = {
  isExact: true,
  isRemote: true,
  async find(typed) {
    if (!typed) return []
    const found = await answer(api.GET('/users', { params: { query: { q: typed.slice(0, 200), limit: MOST } } }))
    return found.map((person) => ({
      id: `account ${person.id}`,
      group: 'people',
      text: nameOf(person),
      words: [person.displayNameAr, person.displayNameEn, person.username, person.email],
      kind: t.account,
      icon: 'user',
      path: `/admin/users/${person.id}`,
    }))
  },
}

interface Described {
  id: number
  name: string
  descriptionAr: string | null
  descriptionEn: string | null
}
const icons = { groups: 'building-2', roles: 'id-card', permissions: 'key-round' } as const
/** Groups, roles and permissions are titled by the first line of their description. */
const described = (one: Described, what: keyof typeof icons): Finding => ({
  id: `${what} ${one.id}`,
  group: 'people',
  text: inLanguage(one.descriptionAr, one.descriptionEn)?.split('\n')[0] || one.name,
  words: [one.name, one.descriptionAr, one.descriptionEn],
  kind: t.kinds[what],
  icon: icons[what],
  path: `/admin/${what}/${one.id}`,
})
const groupsFound: PaletteSource = {
  isExact: true,
  isRemote: true,
  async find(typed) {
    if (!typed) return []
    const found = await answer(api.GET('/groups', { params: { query: { q: typed.slice(0, 200), limit: MOST } } }))
    return found.map((one) => described(one, 'groups'))
  },
}
/** Short lists, such as roles, are loaded whole and searched here. */
const roles: PaletteSource = {
  find: async (typed) => (typed ? (await resource('/roles').load()).map((one) => described(one, 'roles')) : []),
}
const permissions: PaletteSource = {
  find: async (typed) => (typed ? (await resource('/permissions').load()).map((one) => described(one, 'permissions')) : []),
}
const services: PaletteSource = {
  find: async (typed) =>
    (typed ? await resource('/services').load() : []).map((service) => ({
      id: `admin service ${service.id}`,
      group: 'services',
      text: named(service),
      words: [service.nameAr, service.nameEn],
      kind: t.kinds.services,
      icon: 'coffee',
      path: `/admin/services/${service.id}`,
    })),
}
const teams: PaletteSource = {
  find: async (typed) =>
    (typed ? await resource('/service-teams', { query: { view: 'all' } }).load() : []).map((team) => ({
      id: `team ${team.id}`,
      group: 'services',
      text: named(team),
      words: [team.nameAr, team.nameEn],
      kind: t.kinds.teams,
      icon: 'inbox',
      path: `/admin/teams/${team.id}`,
    })),
}
const calendars: PaletteSource = {
  find: async (typed) =>
    (typed ? await resource('/working-calendars').load() : []).map((calendar) => ({
      id: `calendar ${calendar.id}`,
      group: 'services',
      text: named(calendar),
      words: [calendar.nameAr, calendar.nameEn],
      kind: t.kinds.calendars,
      icon: 'clock',
      path: `/admin/calendars/${calendar.id}`,
    })),
}
const apps: PaletteSource = {
  find: async (typed) =>
    (typed ? await resource('/admin/apps').load() : []).map((app) => ({
      id: `admin app ${app.id}`,
      group: 'apps',
      text: named(app),
      words: [app.nameAr, app.nameEn, app.slug],
      kind: t.kinds.apps,
      icon: 'boxes',
      path: `/admin/apps/${app.id}`,
    })),
}

export const sources: PaletteSource[] = [
  { find: () => [overview, ...groups.flatMap(({ places }) => places)].map(placeFinding) },
  settings,
  acts,
  people,
  groupsFound,
  roles,
  permissions,
  apps,
  services,
  teams,
  calendars,
]
