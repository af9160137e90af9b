import './segments.css'

interface SegmentsProps<V> {
  label: string
  /** The choices in reading order, each with its text. */
  of: readonly (readonly [value: V, text: string])[]
  value: V
  choose: (value: V) => void
}

/** A segmented control: a few choices side by side. */
export const Segments = <V extends string | number>({ label, of, value, choose }: SegmentsProps<V>) => (
  <div class="segments" role="group" aria-label={label}>
    {of.map(([one, text]) => (
      <button key={one} type="button" aria-pressed={one === value} onClick={() => choose(one)}>
        {text}
      </button>
    ))}
  </div>
)
