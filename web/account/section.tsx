import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'

/** A part of the page with its heading, and what it is for. */
export function Section({ title, hint, children }: { title: string; hint?: string; children: ComponentChildren }) {
  const id = useId()
  return (
    <section class="card account-section" aria-labelledby={id}>
      <div>
        <h2 id={id}>{title}</h2>
        {hint && <p class="quiet small">{hint}</p>}
      </div>
      {children}
    </section>
  )
}
