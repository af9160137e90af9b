/** Makes keys of fields and options from their texts. */

export const A_KEY = /^[a-z][a-z0-9_]{0,31}$/
const LONGEST = 32

/** The transcription of Arabic letters in keys. Vowel marks and a hamza without a carrier are left out. */
const letters: Record<string, string> = {
  ...{ ا: 'a', أ: 'a', إ: 'i', آ: 'a', ٱ: 'a', ب: 'b', ت: 't', ث: 'th', ج: 'j', ح: 'h', خ: 'kh', د: 'd', ذ: 'dh', ر: 'r', ز: 'z' },
  ...{ س: 's', ش: 'sh', ص: 's', ض: 'd', ط: 't', ظ: 'z', ع: 'a', غ: 'gh', ف: 'f', ق: 'q', ك: 'k', ل: 'l', م: 'm', ن: 'n', ه: 'h' },
  ...{ و: 'w', ؤ: 'w', ي: 'y', ى: 'a', ئ: 'y', ة: 'a', گ: 'g', پ: 'p', چ: 'ch', ڤ: 'v' },
}
const digits = '٠١٢٣٤٥٦٧٨٩'

const written = (text: string) =>
  text
    .normalize('NFC')
    .toLowerCase()
    // Before the marks are removed, because a letter with a hamza would lose it.
    .replace(/\p{L}/gu, (letter) => letters[letter] ?? letter)
    .replace(/[٠-٩]/g, (digit) => String(digits.indexOf(digit)))
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^[0-9_]+/, '')
    .slice(0, LONGEST)
    .replace(/_+$/, '')

/** A key that is not in `taken`, such as `drink_2` beside `drink`. */
function free(key: string, taken: readonly string[]) {
  for (let n = 1; ; n++) {
    const end = n === 1 ? '' : `_${n}`
    const one = key.slice(0, LONGEST - end.length) + end
    if (!taken.includes(one)) return one
  }
}

/** The key of a field or option, made from its texts; if they contain no letters, `word` with a number, such as `field_3`. */
export function keyOf({ ar, en }: { ar: string | null; en: string | null }, word: string, taken: readonly string[]) {
  const own = written(en ?? '') || written(ar ?? '')
  if (own) return free(own, taken)
  for (let n = taken.length + 1; ; n++) if (!taken.includes(`${word}_${n}`)) return `${word}_${n}`
}
