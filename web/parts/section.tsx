import './section.css'
import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'

/** A part of the page at an address of its own, `/account#name`, with its heading and what it is for. */
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
