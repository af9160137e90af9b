import './section.css'
import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'

/** A section of the page with an address of its own, `/account#name`, a heading and an explanation. */
export function Section({ name, title, hint, children }: { name: string; title: string; hint?: string; children: ComponentChildren }) {
  const id = useId()
  const section = useRef<HTMLElement>(null)
  useEffect(() => {
    if (location.hash !== `#${name}`) return
    // Waits until the frame has scrolled to the top. If the person has already focused something, nothing moves.
    setTimeout(() => {
      if (document.querySelector('main :not(h1):focus')) return
      section.current?.focus()
      section.current?.scrollIntoView()
    }, 100)
  }, [])
  return (
    <section ref={section} id={name} class="card section" tabIndex={-1} aria-labelledby={id}>
      <div>
        <h2 id={id}>{title}</h2>
        {hint && <p class="quiet small">{hint}</p>}
      </div>
      {children}
    </section>
  )
}
