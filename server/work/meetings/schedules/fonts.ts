/** The font families that come with the portal, and their files. */
import { hash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { refuse } from '../../../platform/errors/refusal.ts'
import type { FileOfPortal } from '../../../platform/objects/files.ts'

interface Family {
  package: string
  /** The prefix of the names of the family's files. */
  file: string
  weights: readonly Weight[]
  /** Whether the family has its own Latin letters; if not, those of the first of `FALLBACK_FAMILIES` are used. */
  latin: boolean
}

export const weights = [300, 400, 500, 600, 700] as const
export type Weight = (typeof weights)[number]

const styles: Record<Weight, string> = { 300: 'Light', 400: 'Regular', 500: 'Medium', 600: 'SemiBold', 700: 'Bold' }

const families: Record<string, Family> = {
  Amiri: { package: 'amiri', file: 'Amiri', weights: [400, 700], latin: true },
  'IBM Plex Sans Arabic': { package: 'ibm-plex-sans-arabic', file: 'IBMPlexSansArabic', weights: [300, 400, 500, 600, 700], latin: true },
  'Noto Sans Arabic': { package: 'noto-sans-arabic', file: 'NotoSansArabic', weights: [300, 400, 500, 600, 700], latin: true },
  'Noto Naskh Arabic': { package: 'noto-naskh-arabic', file: 'NotoNaskhArabic', weights: [400, 500, 600, 700], latin: true },
  Cairo: { package: 'cairo', file: 'Cairo', weights: [300, 400, 500, 600, 700], latin: true },
  Tajawal: { package: 'tajawal', file: 'Tajawal', weights: [300, 400, 500, 700], latin: true },
}

/**
 * Families that cannot be chosen: for emoji, and for guests' names in other scripts. Noto Sans has Latin of all languages, Cyrillic, Greek
 * and Devanagari.
 */
const others: Record<string, Family> = {
  'Noto Emoji': { package: 'noto-emoji', file: 'NotoEmoji', weights: [400], latin: false },
  'Noto Sans': { package: 'noto-sans', file: 'NotoSans', weights: [400, 700], latin: true },
  'Noto Sans Hebrew': { package: 'noto-sans-hebrew', file: 'NotoSansHebrew', weights: [400, 700], latin: false },
  'Noto Sans Thai': { package: 'noto-sans-thai', file: 'NotoSansThai', weights: [400, 700], latin: false },
}

export const bundledFamilies = Object.keys(families)
/** The names of the bundled families in addresses. */
export const familyNames = bundledFamilies.map((family) => families[family]!.package)
/** Text in this book font can be searched and copied best, because the font joins letters without merging them into one glyph. */
export const DEFAULT_FAMILY = 'Amiri'
/** The families that supply missing glyphs; the first has both Arabic and Latin letters. */
export const FALLBACK_FAMILIES = ['IBM Plex Sans Arabic', ...Object.keys(others)]

/** The bundled family of that name, regardless of case; the default family if no family has the name. */
export const bundledAs = (name: string) =>
  bundledFamilies.find((family) => family.toLowerCase() === name.trim().replace(/\s+/g, ' ').toLowerCase()) ?? DEFAULT_FAMILY

const { resolve } = createRequire(import.meta.url)

function pathOf({ package: folder, file }: Family, weight: Weight) {
  const style = `${weight}${styles[weight]}`
  return join(dirname(resolve(`@expo-google-fonts/${folder}/package.json`)), style, `${file}_${style}.ttf`)
}

const familyOf = (name: string) => families[name] ?? others[name]!

/** The font files of a bundled family, one for each weight. */
export function readFonts(name: string) {
  const family = familyOf(name)
  return Promise.all(family.weights.map((weight) => readFile(pathOf(family, weight))))
}

/** The weight that all families have. */
const REGULAR = 400

/** The regular face of a bundled family. */
export const readRegular = (name: string) => readFile(pathOf(familyOf(name), REGULAR))

/** The families that a schedule can be set in, each with the address of its regular face. */
export const listFamilies = () =>
  bundledFamilies.map((family) => {
    const { package: name, weights, latin } = families[family]!
    return { family, weights: [...weights], latin, url: `/executive-meetings/fonts/${name}/${REGULAR}` }
  })

/** The file of a family in one of its weights, by the family's name in addresses. Refuses `not_found`. */
export async function findFace(name: string, weight: Weight): Promise<FileOfPortal> {
  const family = bundledFamilies.map((one) => families[one]!).find((one) => one.package === name && one.weights.includes(weight))
  const path = pathOf(family ?? refuse('not_found'), weight)
  const [bytes, { mtime }] = await Promise.all([readFile(path), stat(path)])
  return {
    path,
    size: bytes.length,
    etag: hash('sha256', bytes),
    storedAt: mtime,
    name: basename(path),
    contentType: 'font/ttf',
    isGuarded: true,
  }
}
