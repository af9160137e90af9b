/** The texts of a service's form, which are loaded with the form. */
import { texts } from '../../platform/language.ts'

const ar = { changed: 'تغيّر النموذج. إجاباتك محفوظة؛ راجع ما عُلِّم.' }
const en: typeof ar = { changed: 'The form has changed. Your answers are kept; please look at what is marked.' }

export const both = { ar, en }
export const t = texts(both)
