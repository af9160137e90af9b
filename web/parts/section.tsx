import './section.css'
import type { ComponentChildren } from 'preact'
import { useEffect, useId } from 'preact/hooks'

/** Scrolls to a section of the page and focuses it. */
export function goToSection(name: string) {
  const section = document.getElementById(name)
  section?.focus({ preventScroll: true })
  section?.scrollIntoView()
}

/** Whether the person has focused something on the page, other than its heading, where the frame puts the focus. */
const isBusy = () => {
  const focused = document.activeElement
  return focused?.closest('main') != null && focused.tagName !== 'H1' && focused.tagName !== 'MAIN'
}

/** A section of the page with an address of its own, `/account#name`, a heading and an explanation. */
export function Section({ name, title, hint, children }: { name: string; title: string; hint?: string; children: ComponentChildren }) {
  const id = useId()
  useEffect(() => {
    if (location.hash !== `#${name}`) return
    // After the frame, which scrolls to the top.
    const timer = setTimeout(() => !isBusy() && goToSection(name), 100)
    return () => clearTimeout(timer)
  }, [])
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
