/** The font families that come with the portal, and their files. */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

interface Family {
  package: string
  /** The prefix of its files' names. */
  file: string
  weights: readonly number[]
}

const styles: Record<number, string> = { 300: 'Light', 400: 'Regular', 500: 'Medium', 600: 'SemiBold', 700: 'Bold' }

/** Emoji, which nobody can choose as a text face. */
const EMOJI_FAMILY = 'Noto Emoji'

const families: Record<string, Family> = {
  Amiri: { package: 'amiri', file: 'Amiri', weights: [400, 700] },
  'IBM Plex Sans Arabic': { package: 'ibm-plex-sans-arabic', file: 'IBMPlexSansArabic', weights: [300, 400, 500, 600, 700] },
  'Noto Sans Arabic': { package: 'noto-sans-arabic', file: 'NotoSansArabic', weights: [300, 400, 500, 600, 700] },
  'Noto Naskh Arabic': { package: 'noto-naskh-arabic', file: 'NotoNaskhArabic', weights: [400, 500, 600, 700] },
  Cairo: { package: 'cairo', file: 'Cairo', weights: [300, 400, 500, 600, 700] },
  Tajawal: { package: 'tajawal', file: 'Tajawal', weights: [300, 400, 500, 700] },
  [EMOJI_FAMILY]: { package: 'noto-emoji', file: 'NotoEmoji', weights: [400] },
}

export const bundledFamilies = Object.keys(families).filter((family) => family !== EMOJI_FAMILY)
/** A book face for paper. Text is searched and copied best in it, because it joins letters without merging them into one glyph. */
export const DEFAULT_FAMILY = 'Amiri'
/** Supply the glyphs that a family lacks; the first has both scripts. */
export const FALLBACK_FAMILIES = ['IBM Plex Sans Arabic', EMOJI_FAMILY]

/** The bundled family of that name, regardless of case; the default when there is none. */
export const bundledAs = (name: string) =>
  bundledFamilies.find((family) => family.toLowerCase() === name.trim().replace(/\s+/g, ' ').toLowerCase()) ?? DEFAULT_FAMILY

const { resolve } = createRequire(import.meta.url)

/** The font files of a bundled family, one for each weight. */
export function readFonts(name: string) {
  const { package: folder, file, weights } = families[name]!
  const root = dirname(resolve(`@expo-google-fonts/${folder}/package.json`))
  const pathOf = (style: string) => join(root, style, `${file}_${style}.ttf`)
  return Promise.all(weights.map((weight) => readFile(pathOf(`${weight}${styles[weight]}`))))
}
