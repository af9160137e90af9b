/** What the palette and the field of the side list find in the administration: its places, and the records that have a page there. */
import type { Finding, PaletteSource } from '../frame/palette.ts'
import { resource } from '../platform/cache.ts'
import { answer, api } from '../platform/client.ts'
import { inLanguage, named, nameOf } from '../platform/language.ts'
import { addressOf, groups, overview, type Place } from './places.ts'
import { hasPage } from './routes.ts'
import { both, t } from './texts.ts'

const MOST = 6

const placeFinding = (place: Place): Finding => ({
  id: `place ${addressOf(place)}`,
  group: 'pages',
  text: t.names[place.name],
  words: [both.ar.names[place.name], both.en.names[place.name]],
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
/** Groups and roles are known by the first line of their description. */
const described = (one: Described, what: 'groups' | 'roles'): Finding => ({
  id: `${what} ${one.id}`,
  group: 'people',
  text: inLanguage(one.descriptionAr, one.descriptionEn)?.split('\n')[0] || one.name,
  words: [one.name, one.descriptionAr, one.descriptionEn],
  kind: t.kinds[what],
  icon: what === 'groups' ? 'building-2' : 'id-card',
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
/** There are few of these: they are read once, and searched here. */
const roles: PaletteSource = {
  find: async (typed) => (typed ? (await resource('/roles').load()).map((one) => described(one, 'roles')) : []),
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
  ...(hasPage('users/:id') ? [people] : []),
  ...(hasPage('groups/:id') ? [groupsFound] : []),
  ...(hasPage('roles/:id') ? [roles] : []),
  ...(hasPage('apps/:id') ? [apps] : []),
]
