import './section.css'
import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'

/** A section of the page with an address of its own, `/account#name`, a heading and an explanation. */
export function Section({ name, title, hint, children }: { name: string; title: string; hint?: string; children: ComponentChildren }) {
  const id = useId()
  return (
    <section id={name} class="card section" tabIndex={-1} aria-labelledby={id}>
      <div>
        <h2 id={id}>{title}</h2>
        {hint && <p class="quiet small">{hint}</p>}
      </div>
      {children}
    </section>
  )
}
