import { definePalette } from '../../frame/palette.ts'
import { answer, api } from '../../platform/client.ts'
import { matches } from '../../platform/folded.ts'
import { nameOf } from '../../platform/language.ts'
import { Unreached } from '../../platform/refusal.ts'
import { go } from '../../platform/router.ts'
import { begun, nameOfNote, notesOf, type Person } from './data.ts'
import { both, t } from './texts.ts'

const MOST = 6

/** The matching notes among the newest ones on the device, for when the portal is unreachable. */
const known = (typed: string) =>
  (notesOf({ tab: 'active', folder: '', label: '', q: '' }, 0).peek() ?? []).filter(({ title, content }) => matches(typed, title, content))

const write = (asked: { to?: Person }) => {
  begun.value = asked
  go('/notes')
}

const asked = (typed: string) => ({ params: { query: { q: typed.slice(0, 200), limit: MOST } } })

export default definePalette(
  {
    find: () => [
      {
        id: 'notes new',
        group: 'acts',
        text: t.keys.write,
        icon: 'plus',
        run: () => write({}),
        words: [both.ar.keys.write, both.en.keys.write],
      },
      {
        id: 'notes received',
        group: 'pages',
        text: t.received,
        icon: 'inbox',
        path: '/notes/received',
        words: [both.ar.received, both.en.received, both.ar.title, both.en.title],
        isTyped: true,
      },
      {
        id: 'notes sent',
        group: 'pages',
        text: t.sent,
        icon: 'send',
        path: '/notes/sent',
        words: [both.ar.sent, both.en.sent, both.ar.title, both.en.title],
        isTyped: true,
      },
    ],
  },
  {
    isExact: true,
    isRemote: true,
    async find(typed) {
      if (!typed) return []
      const found = await answer(api.GET('/notes', asked(typed))).catch((failure) => {
        if (failure instanceof Unreached) return known(typed)
        throw failure
      })
      return found.slice(0, MOST).map((note) => ({
        id: `note ${note.id}`,
        group: 'notes',
        text: nameOfNote(note) || t.untitled,
        icon: 'sticky-note',
        path: `/notes/${note.id}`,
      }))
    },
  },
  {
    isExact: true,
    isRemote: true,
    async find(typed) {
      if (typed.length < 2) return []
      const people = await answer(api.GET('/notes/recipients', asked(typed)))
      return people.map((person) => ({
        id: `person ${person.id}`,
        group: 'people',
        text: nameOf(person),
        words: [person.displayNameAr, person.displayNameEn, person.username],
        kind: t.writeTo,
        icon: 'user',
        run: () => write({ to: person }),
      }))
    },
  },
)
