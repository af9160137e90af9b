import { inLanguage } from '../../platform/language.ts'
import { at } from '../../platform/router.ts'

interface Person {
  username: string
  displayNameAr: string | null
  displayNameEn: string | null
  avatarUrl?: string | null
}

/**
 * The address from which the page can load a stored picture. `stored` is a path such as `/objects/uploads/…`, or a full address, which is
 * returned unchanged.
 */
export const pictureAt = (stored: string) => (stored.startsWith('/objects/') ? at(`/api/storage${stored}`) : stored)

/** A person's picture, or the first letter of their name. Screen readers skip it: show the name beside it. */
export function Avatar({ person, size = 36 }: { person: Person; size?: number }) {
  const name = inLanguage(person.displayNameAr, person.displayNameEn) || person.username
  return (
    <span class="face" aria-hidden="true" style={{ inlineSize: `${size / 16}rem`, blockSize: `${size / 16}rem` }}>
      {person.avatarUrl ? <img src={pictureAt(person.avatarUrl)} alt="" width={size} height={size} loading="lazy" /> : [...name][0]}
    </span>
  )
}
