interface StepsProps {
  label: string
  steps: string[]
  /** The index of the current step. */
  reached: number
}

/** The progress through `steps`: a bar for each step, with its name. */
export function Steps({ label, steps, reached }: StepsProps) {
  return (
    <ol class="steps" aria-label={label}>
      {steps.map((text, index) => (
        <li key={index} data-done={index <= reached || undefined} aria-current={index === reached ? 'step' : undefined}>
          {text}
        </li>
      ))}
    </ol>
  )
}
