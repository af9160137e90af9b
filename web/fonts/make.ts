/** Makes the fonts of the pages: subsets of two weights, each split into Arabic and Latin letters. Run by `npm run pages:fonts`. */
import { copyFile, readFile, writeFile } from 'node:fs/promises'
import subset from 'subset-font'

const family = new URL('../../node_modules/@expo-google-fonts/ibm-plex-sans-arabic/', import.meta.url)
const weights = { 400: '400Regular/IBMPlexSansArabic_400Regular.ttf', 600: '600SemiBold/IBMPlexSansArabic_600SemiBold.ttf' }
/** Ranges of code points. They must equal `unicode-range` in `styles/fonts.css`. */
const scripts = {
  ar: [
    [0x60c, 0x60c],
    [0x61b, 0x61f],
    [0x621, 0x63a],
    [0x640, 0x655],
    [0x660, 0x66c],
    [0x670, 0x671],
    [0x67e, 0x67e],
    [0x686, 0x688],
    [0x691, 0x691],
    [0x698, 0x698],
    [0x6a4, 0x6a4],
    [0x6a9, 0x6af],
    [0x6ba, 0x6be],
    [0x6c1, 0x6c3],
    [0x6cc, 0x6cc],
    [0x6d2, 0x6d2],
    [0x6f0, 0x6f9],
    [0x200c, 0x200f],
  ],
  la: [
    [0x20, 0x7e],
    [0xa0, 0xff],
    [0x2013, 0x2026],
    [0x20ac, 0x20ac],
  ],
}

let total = 0
for (const [weight, file] of Object.entries(weights)) {
  const whole = await readFile(new URL(file, family))
  for (const [script, ranges] of Object.entries(scripts)) {
    const letters = ranges.flatMap(([from, to]) =>
      Array.from({ length: to! - from! + 1 }, (_, index) => String.fromCodePoint(from! + index)),
    )
    const cut = await subset(whole, letters.join(''), { targetFormat: 'woff2' })
    total += cut.length
    await writeFile(new URL(`sans-${weight}-${script}.woff2`, import.meta.url), cut)
  }
}
await copyFile(new URL('LICENSE_FONT', family), new URL('LICENSE', import.meta.url))
console.log(`${Math.round(total / 1000)} kB`)
