const ARABIC = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC]/
const LATIN = /[A-Za-z\u00C0-\u024F\u0370-\u03FF\u0400-\u04FF]/

/** The first of the two scripts that a text uses. */
function directionOf(text: string) {
  const arabic = text.search(ARABIC)
  const latin = text.search(LATIN)
  if (arabic < 0 || latin < 0) return arabic >= 0 ? 'rtl' : latin >= 0 ? 'ltr' : undefined
  return arabic < latin ? 'rtl' : 'ltr'
}

/** What a person wrote. A line in the other language turns round; one that only begins with a word of it does not. */
export function Prose({ text }: { text: string }) {
  const whole = directionOf(text)
  const own = whole === 'rtl' ? ARABIC : LATIN
  return (
    <p class="notes-text" dir={whole}>
      {text.split('\n').map((line, index) => (
        <span key={index} dir={own.test(line) ? whole : (directionOf(line) ?? whole)}>
          {line}
        </span>
      ))}
    </p>
  )
}
