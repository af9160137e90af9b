import { inLanguage } from '../platform/language.ts'
import { at } from '../platform/router.ts'

interface Person {
  username: string
  displayNameAr: string | null
  displayNameEn: string | null
  avatarUrl?: string | null
}

/** A stored picture, such as `/objects/uploads/…`, as an address that the page may show. */
export const pictureAt = (stored: string) => (stored.startsWith('/objects/') ? at(`/api/storage${stored}`) : stored)

/** A person's picture, or the first letter of their name. The name stands beside it, so screen readers skip it. */
export function Avatar({ person, size = 36 }: { person: Person; size?: number }) {
  const name = inLanguage(person.displayNameAr, person.displayNameEn) || person.username
  return (
    <span class="face" aria-hidden="true" style={{ inlineSize: `${size / 16}rem`, blockSize: `${size / 16}rem` }}>
      {person.avatarUrl ? <img src={pictureAt(person.avatarUrl)} alt="" width={size} height={size} loading="lazy" /> : [...name][0]}
    </span>
  )
}
