import './lines.css'
import type { ComponentChildren } from 'preact'
import { named, nameOf } from '../../platform/language.ts'
import { Avatar } from './avatar.tsx'
import { Glyph } from './glyph.tsx'
import { type Titled, titleOf } from './title.ts'

interface Person {
  username: string
  displayNameAr: string | null
  displayNameEn: string | null
  avatarUrl?: string | null
}

/** An identifier, muted and left to right. */
export const Key = ({ children }: { children: string }) => (
  <bdi class="key" dir="ltr">
    {children}
  </bdi>
)

/** A row with a title, a line under it, and a picture before both. */
export const Line = ({ face, title, under }: { face?: ComponentChildren; title: string; under: ComponentChildren }) => (
  <span class="line">
    {face}
    <span class="person">
      <bdi class="line-title">{title}</bdi>
      {under}
    </span>
  </span>
)

/** A person in a row: face, name, username. */
export const PersonLine = ({ person, size = 36 }: { person: Person; size?: number }) => (
  <Line face={<Avatar person={person} size={size} />} title={nameOf(person)} under={<Key>{`@${person.username}`}</Key>} />
)

/** A role, group or permission in a row: its display name, and its key if that is different. */
export function TitledLine({ of }: { of: Titled }) {
  const title = titleOf(of)
  return <Line title={title} under={title !== of.name && <Key>{of.name}</Key>} />
}

interface App {
  nameAr: string
  nameEn: string
  iconName: string
  imageUrl: string | null
  color: string
  slug: string
}

/** An app in a row: its tile, name and key. */
export const AppLine = ({ app }: { app: App }) => (
  <Line
    face={
      <span class="mini" style={{ '--color': app.color }} aria-hidden="true">
        <Glyph app={app} size={18} />
      </span>
    }
    title={named(app)}
    under={<Key>{app.slug}</Key>}
  />
)
