/** What a username looks like. */
import unhomoglyph from 'unhomoglyph'

const isInvisible = /\p{Default_Ignorable_Code_Point}/gu
/** The skeleton of a text (UTS 39): the same for texts that are easily taken for each other. */
const skeletonOf = (text: string) => unhomoglyph(text.normalize('NFD').replace(isInvisible, '')).normalize('NFD')

/** The looks of a name as it is written, in small letters and in capitals, since its case does not count. Names that share one look alike. */
export const looksOf = (name: string) =>
  [...new Set([name, name.toLowerCase(), name.toUpperCase()].map((written) => skeletonOf(written).toLowerCase()))].toSorted()

const isPlain = (name: string) => /^\p{ASCII}*$/u.test(name)

/** Whether one of two names that look alike must not exist beside the other: those of ASCII letters alone are told apart by reading. */
export const isMistakable = (name: string, other: string) => !isPlain(name) || !isPlain(other)
