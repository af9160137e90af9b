import { useSignal } from '@preact/signals'
import { Menu } from '../../parts/overlay/menu.tsx'
import { Button } from '../../parts/show/button.tsx'
import { Icon } from '../../parts/show/icon.tsx'
import { lazily } from '../../parts/show/lazily.tsx'
import { ago } from '../../platform/ago.ts'
import { exactly } from '../../platform/dates.ts'
import { at } from '../../platform/router.ts'
import { archive, pin, remove } from './acts.ts'
import { foldersOf, labels, type Note, nameOfNote } from './data.ts'
import { Prose } from './prose.tsx'
import { t } from './texts.ts'

const Arrange = lazily(async () => (await import('./arrange.tsx')).Arrange)
const ColorDialog = lazily(async () => (await import('./arrange.tsx')).ColorDialog)

const LONGEST = 600

/** The folder and the labels of a note. */
export function Filed({ note }: { note: Note }) {
  const folder = foldersOf('active').data?.find(({ id }) => id === note.folderId)
  const mine = labels.data?.filter(({ id }) => note.labelIds.includes(id)) ?? []
  if (!folder && mine.length === 0) return null
  return (
    <ul class="notes-filed">
      {folder && (
        <li class="chip">
          <Icon name="folder" size={14} />
          <bdi>{folder.name}</bdi>
        </li>
      )}
      {mine.map(({ id, name, color }) => (
        <li key={id} class="chip notes-label" data-color={color}>
          <Icon name="tag" size={14} />
          <bdi>{name}</bdi>
        </li>
      ))}
    </ul>
  )
}

/** A note on the board. A press opens it. All other actions but sending happen on the board. */
export function Card({ note }: { note: Note }) {
  const asked = useSignal<'color' | 'place' | undefined>(undefined)
  const close = () => {
    asked.value = undefined
  }
  const name = nameOfNote(note)
  const text = (note.title ? note.content : note.content.slice(name.length)).trim()
  return (
    <li>
      <article class="notes-card" data-color={note.color}>
        <h3>
          <a href={at(`/notes/${note.id}`)} dir="auto">
            {name || t.untitled}
          </a>
        </h3>
        {text && <Prose text={text.slice(0, LONGEST)} />}
        <Filed note={note} />
        <div class="notes-foot small quiet">
          <span class="notes-when">
            {' '}
            <time dateTime={note.updatedAt} title={exactly(note.updatedAt)}>
              {ago(note.updatedAt)}
            </time>
            {note.color !== 'default' && (
              <span class="notes-color" data-color={note.color}>
                {t.colors[note.color]}
              </span>
            )}
          </span>{' '}
          <span class="grow" />
          <Button
            kind="plain"
            class="button notes-pin"
            icon="pin"
            aria-label={`${t.pin}: ${name}`}
            aria-pressed={note.isPinned}
            onClick={() => pin(note)}
          />
          <Menu
            label={t.actsOn(name)}
            face={<Icon name="ellipsis" />}
            items={[
              { text: t.color, icon: 'palette', run: () => (asked.value = 'color') },
              { text: t.arrange, icon: 'folder', run: () => (asked.value = 'place') },
              { text: t.send, icon: 'send', href: at(`/notes/${note.id}?send=1`) },
              {
                text: note.isArchived ? t.fromArchive : t.toArchive,
                icon: note.isArchived ? 'archive-restore' : 'archive',
                run: () => archive(note),
              },
              { text: t.remove, icon: 'trash-2', apart: true, run: () => remove(note) },
            ]}
          />
        </div>
        {asked.value === 'color' && <ColorDialog note={note} close={close} />}
        {asked.value === 'place' && <Arrange note={note} close={close} />}
      </article>
    </li>
  )
}
