import { useRef } from 'preact/hooks'
import { answer, api } from '../../../platform/client.ts'
import { matches } from '../../../platform/folded.ts'
import { nameOf } from '../../../platform/language.ts'
import { me } from '../../../platform/session.ts'
import { PersonLine } from '../../show/lines.tsx'
import { IdsField } from '../ids-field.tsx'
import type { ControlProps } from './controls.tsx'
import type { Named } from './judging.ts'
import { both } from './texts.ts'
import { said } from './words.ts'

interface Found {
  id: number
  username: string
  displayNameAr: string | null
  displayNameEn: string | null
  avatarUrl?: string | null
}

/** Finds active people by part of a name. `/notes/recipients` leaves out the person who asks, who is therefore added here. */
async function find(typed: string): Promise<Found[]> {
  const q = typed.trim().slice(0, 200)
  const others: Found[] = await answer(api.GET('/notes/recipients', { params: { query: { limit: 20, ...(q && { q }) } } }))
  const own = me.peek()
  const isMeant = own && matches(typed, own.username, own.displayNameAr, own.displayNameEn)
  return isMeant ? [own, ...others] : others
}

export function PersonAnswer({ label, hint, error, value, change, language }: ControlProps) {
  const chosen = (value ?? undefined) as Named | undefined
  // The people found so far. The answer contains the chosen person’s names, so that a restored draft can show them.
  const found = useRef(new Map<number, Found>())
  return (
    <IdsField<Found>
      label={label}
      hint={hint}
      error={error}
      addLabel={both[language].findPerson}
      ids={chosen ? [chosen.id] : []}
      most={1}
      of={() => chosen && { id: chosen.id, username: '', displayNameAr: chosen.nameAr, displayNameEn: chosen.nameEn }}
      name={(person) => said(language, person.displayNameAr, person.displayNameEn) || person.username}
      find={async (typed) => {
        const people = await find(typed)
        for (const person of people) found.current.set(person.id, person)
        return people
      }}
      change={([id]) => {
        const person = id === undefined ? undefined : found.current.get(id)
        change(person ? { id, nameAr: person.displayNameAr || nameOf(person), nameEn: person.displayNameEn || nameOf(person) } : null)
      }}
    >
      {(person) => <PersonLine person={person} size={28} />}
    </IdsField>
  )
}
