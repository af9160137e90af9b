import type { ComponentChildren } from 'preact'
import { Combobox } from '../../../parts/forms/combobox.tsx'
import { PickSearch } from '../../../parts/lists/filters/picks.tsx'
import { Popover } from '../../../parts/overlay/popover.tsx'
import { Avatar } from '../../../parts/show/avatar.tsx'
import { Glyph } from '../../../parts/show/glyph.tsx'
import { Icon } from '../../../parts/show/icon.tsx'
import { AppLine, PersonLine } from '../../../parts/show/lines.tsx'
import type { Schemas } from '../../../platform/client.ts'
import { matches } from '../../../platform/folded.ts'
import { named, nameOf } from '../../../platform/language.ts'
import { type App, apps, searchPeople } from '../shared/directory.ts'
import { momentInWords } from '../shared/past/moment.ts'
import { When } from '../shared/past/when.tsx'
import { t } from './texts.ts'

interface SlotProps<Option extends { id: number }> {
  label: string
  /** The current choice; undefined before anything is chosen. */
  face: ComponentChildren
  find: (typed: string) => Option[] | Promise<Option[]>
  choose: (option: Option) => void
  children: (option: Option) => ComponentChildren
}

/** A gap in the question, which opens a list to choose from. */
function Slot<Option extends { id: number }>({ label, face, find, choose, children }: SlotProps<Option>) {
  return (
    <Popover
      label={label}
      class="access-slot"
      // Name the button by its content: an `aria-label` must contain the visible text, and an avatar without a picture shows a letter.
      hasNamingFace
      face={
        <>
          {face ? <span class="unseen">{label}: </span> : <span class="quiet">{label}</span>}
          {face}
          <Icon name="chevron-down" size={18} />
        </>
      }
    >
      {(close) => (
        <PickSearch>
          <Combobox
            eager
            label={label}
            placeholder={label}
            find={find}
            id={({ id }) => id}
            choose={(option) => {
              close()
              choose(option)
            }}
          >
            {children}
          </Combobox>
        </PickSearch>
      )}
    </Popover>
  )
}

export type NamedPerson = Pick<Schemas['UserProfile'], 'id' | 'username' | 'displayNameAr' | 'displayNameEn' | 'avatarUrl'>
export type NamedApp = Pick<App, 'id' | 'nameAr' | 'nameEn' | 'slug' | 'iconName' | 'imageUrl' | 'color'>

interface QuestionProps {
  /** The question, with `{user}`, `{app}` and `{at}` as placeholders. */
  text: string
  person: NamedPerson | undefined
  app: NamedApp | undefined
  /** The moment that the question is about; undefined for now. */
  at: string | undefined
  choose: (chosen: { user?: number; app?: number }) => void
}

/** The question of the page, in which the person and the app are chosen. */
export function Question({ text, person, app, at, choose }: QuestionProps) {
  const slots = {
    '{user}': (
      <Slot
        label={t.chooseUser}
        face={
          person && (
            <>
              <Avatar person={person} size={30} />
              <bdi>{nameOf(person)}</bdi>
            </>
          )
        }
        find={searchPeople}
        choose={({ id }) => choose({ user: id })}
      >
        {(one) => <PersonLine person={one} size={32} />}
      </Slot>
    ),
    '{app}': (
      <Slot
        label={t.chooseApp}
        face={
          app && (
            <>
              <span class="mini" style={{ '--color': app.color }} aria-hidden="true">
                <Glyph app={app} size={16} />
              </span>
              <bdi>{named(app)}</bdi>
            </>
          )
        }
        find={async (typed) => (await apps.load()).filter(({ nameAr, nameEn, slug }) => matches(typed, nameAr, nameEn, slug))}
        choose={({ id }) => choose({ app: id })}
      >
        {(one) => <AppLine app={one} />}
      </Slot>
    ),
    '{at}': <When at={at} />,
  }
  const isSlot = (part: string): part is keyof typeof slots => part in slots
  return (
    <div class="access-question" role="group" aria-label={t.ask}>
      {text.split(/(\{\w+\})/).map((part) => (isSlot(part) ? <span key={part}>{slots[part]}</span> : part))}
    </div>
  )
}

/** The question as plain text, with the names filled in. */
export const asText = (text: string, person: string, app: string, at?: string) =>
  text
    .replace('{user}', () => person)
    .replace('{app}', () => app)
    .replace('{at}', () => momentInWords(at))
