import { inLanguage } from '../../platform/language.ts'

/** A role, group or permission: its key and descriptions. */
export interface Titled {
  name: string
  descriptionAr: string | null
  descriptionEn: string | null
}

const LONGEST = 60

/** The display name of a role, group or permission: the first line of its description, else its key. */
export function titleOf({ name, descriptionAr, descriptionEn }: Titled) {
  const [line = ''] = inLanguage(descriptionAr, descriptionEn).trim().split('\n')
  const letters = [...line.trim()]
  return (
    (letters.length > LONGEST
      ? `${letters
          .slice(0, LONGEST - 1)
          .join('')
          .trim()}…`
      : letters.join('')) || name
  )
}
