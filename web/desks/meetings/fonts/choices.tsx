import { type Signal, useSignal } from '@preact/signals'
import { useEffect, useId, useLayoutEffect } from 'preact/hooks'
import { Segments } from '../../../parts/show/segments.tsx'
import { isolated } from '../../../platform/language.ts'
import { LARGEST, nearest, printedIn, SMALLEST, sizeOf, withFamily } from './choosing.ts'
import { type Family, type Fields, faceOf, loadFace } from './data.ts'
import { t } from './texts.ts'

interface ChoicesProps {
  all: readonly Family[]
  chosen: Fields
  choose: (fields: Fields) => void
  /** Whether the field contains a size that no sheet can have. */
  isWrong: Signal<boolean>
}

/** The families, each name in its own typeface, and the weights and alignments to choose from. */
export function Choices({ all, chosen, choose, isWrong }: ChoicesProps) {
  const { family, isKnown } = printedIn(all, chosen.fontFamily)
  useEffect(() => all.forEach(loadFace), [all])
  return (
    <>
      <fieldset class="fonts-families">
        <legend class="unseen">{t.family}</legend>
        {all.map((one) => (
          <label key={one.family}>
            <input type="radio" name="family" checked={one === family} onChange={() => choose(withFamily(chosen, one))} />
            <span>
              <strong lang="en" dir="ltr">
                {one.family}
              </strong>
              <span class="quiet small">{t.about[one.family]}</span>
            </span>
            <span lang="ar" class="fonts-sample" style={{ fontFamily: `"${faceOf(one)}", serif` }}>
              {t.sample}
            </span>
          </label>
        ))}
      </fieldset>
      {!isKnown && <p class="fonts-unknown">{t.unknown(isolated(chosen.fontFamily), isolated(family.family))}</p>}
      <Size size={chosen.fontSize} choose={(fontSize) => choose({ ...chosen, fontSize })} isWrong={isWrong} />
      <div class="fonts-choice">
        <span aria-hidden="true">{t.weight}</span>
        <Segments
          label={t.weight}
          of={family.weights.map((weight) => [weight, t.weights[weight]!] as const)}
          value={nearest(family.weights, chosen.fontWeight) as Fields['fontWeight']}
          choose={(fontWeight) => choose({ ...chosen, fontWeight })}
        />
      </div>
      <div class="fonts-choice">
        <span aria-hidden="true">{t.alignment}</span>
        <Segments
          label={t.alignment}
          of={(['start', 'center', 'end'] as const).map((one) => [one, t.alignments[one]] as const)}
          value={chosen.alignment}
          choose={(alignment) => choose({ ...chosen, alignment })}
        />
      </div>
      <p class="quiet small">
        {t.weightCount(family.weights.length)} {family.latin ? t.ownLatin : t.otherLatin}
      </p>
    </>
  )
}

/** The font size, as a slider and a field. */
function Size({ size, choose, isWrong }: { size: number; choose: (size: number) => void; isWrong: Signal<boolean> }) {
  const id = useId()
  const typed = useSignal(String(size))
  // A layout effect, because a later effect would replace text that the person has typed since, as in DateField.
  useLayoutEffect(() => {
    if (sizeOf(typed.peek()) !== size) typed.value = String(size)
    isWrong.value = false
  }, [size])
  function take(text: string) {
    typed.value = text
    const taken = sizeOf(text)
    isWrong.value = taken === undefined
    if (taken !== undefined) choose(taken)
  }
  return (
    <div class="fonts-size">
      <label for={id}>{t.size}</label>
      <input
        id={id}
        class="input numbers"
        inputMode="numeric"
        autocomplete="off"
        value={typed.value}
        aria-invalid={isWrong.value || undefined}
        aria-describedby={`${id}-unit ${id}-error`}
        onInput={(event) => take(event.currentTarget.value)}
      />
      <span id={`${id}-unit`} class="quiet small">
        {t.points}
      </span>
      <input
        type="range"
        aria-label={t.size}
        min={SMALLEST}
        max={LARGEST}
        step={1}
        value={size}
        onInput={(event) => take(event.currentTarget.value)}
      />
      <p id={`${id}-error`} class="error small" role="alert">
        {isWrong.value && t.sizeBounds}
      </p>
    </div>
  )
}
