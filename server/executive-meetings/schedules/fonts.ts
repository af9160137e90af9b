/** The font families that come with the portal, and their files. */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

interface Family {
  package: string
  /** The beginning of its files' names. */
  file: string
  weights: readonly number[]
}

const styles: Record<number, string> = { 300: 'Light', 400: 'Regular', 500: 'Medium', 600: 'SemiBold', 700: 'Bold' }

/** Pictures; nobody can choose them for letters. */
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
/** A book face for paper; of all of them, text is found and copied best in it, for it joins letters without melting them into one sign. */
export const DEFAULT_FAMILY = 'Amiri'
/** What a family lacks is taken from these; the first has the letters of both scripts. */
export const FALLBACK_FAMILIES = ['IBM Plex Sans Arabic', EMOJI_FAMILY]

/** The bundled family of that name, however it is written; the default where there is none. */
export const bundledAs = (name: string) =>
  bundledFamilies.find((family) => family.toLowerCase() === name.trim().replace(/\s+/g, ' ').toLowerCase()) ?? DEFAULT_FAMILY

const { resolve } = createRequire(import.meta.url)

/** The bytes of a bundled family's fonts, one file for each of its weights. */
export function readFonts(name: string) {
  const { package: folder, file, weights } = families[name]!
  const root = dirname(resolve(`@expo-google-fonts/${folder}/package.json`))
  const pathOf = (style: string) => join(root, style, `${file}_${style}.ttf`)
  return Promise.all(weights.map((weight) => readFile(pathOf(`${weight}${styles[weight]}`))))
}
