import { definePalette } from '../frame/palette.ts'
import { answer, api } from '../platform/client.ts'
import { matches } from '../platform/folded.ts'
import { nameOf } from '../platform/language.ts'
import { go } from '../platform/router.ts'
import { begun, nameOfNote, notesOf, type Person } from './data.ts'
import { t } from './texts.ts'

const MOST = 6

/** What the device has, where the portal is not reached. */
const known = (typed: string) =>
  (notesOf({ tab: 'active', folder: '', label: '', q: '' }, 0).peek() ?? []).filter(({ title, content }) => matches(typed, title, content))

const write = (asked: { to?: Person }) => {
  begun.value = asked
  go('/notes')
}

export default definePalette({
  isExact: true,
  async find(typed) {
    const places = [
      { id: 'notes new', text: t.keys.write, icon: 'plus' as const, run: () => write({}), words: ['ملاحظة جديدة', 'new note'] },
      {
        id: 'notes received',
        text: `${t.title}: ${t.received}`,
        icon: 'inbox' as const,
        path: '/notes/received',
        words: ['received notes'],
      },
      { id: 'notes sent', text: `${t.title}: ${t.sent}`, icon: 'send' as const, path: '/notes/sent', words: ['sent notes'] },
    ].filter(({ text, words }) => typed && matches(typed, text, ...words))
    const notes = typed
      ? await answer(api.GET('/notes', { params: { query: { q: typed.slice(0, 200), limit: MOST } } })).catch(() => known(typed))
      : []
    const people =
      typed.length > 1
        ? await answer(api.GET('/notes/recipients', { params: { query: { q: typed.slice(0, 200), limit: MOST } } })).catch(() => [])
        : []
    return [
      ...places,
      ...people.map((person) => ({
        id: `person ${person.id}`,
        text: nameOf(person),
        kind: t.writeTo,
        icon: 'user' as const,
        run: () => write({ to: person }),
      })),
      ...notes.slice(0, MOST).map((note) => ({
        id: `note ${note.id}`,
        text: nameOfNote(note) || t.untitled,
        kind: t.kind,
        icon: 'sticky-note' as const,
        path: `/notes/${note.id}`,
      })),
    ]
  },
})
