const ARABIC = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC]/
const LATIN = /[A-Za-z\u00C0-\u024F\u0370-\u03FF\u0400-\u04FF]/

/** The direction of the first letter that is Arabic or Latin. */
function directionOf(text: string) {
  const arabic = text.search(ARABIC)
  const latin = text.search(LATIN)
  if (arabic < 0 || latin < 0) return arabic >= 0 ? 'rtl' : latin >= 0 ? 'ltr' : undefined
  return arabic < latin ? 'rtl' : 'ltr'
}

/**
 * A person's text. A line entirely in the other script has the direction of that script; a line that only begins with that script does not.
 */
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
