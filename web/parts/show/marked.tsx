import { placeOf } from '../lists/place-of.ts'

/** A text with the typed part underlined. */
export function Marked({ text, typed }: { text: string; typed: string }) {
  const place = placeOf(text, typed)
  if (!place) return <bdi>{text}</bdi>
  const [from, to] = place
  return (
    <bdi>
      {text.slice(0, from)}
      <mark>{text.slice(from, to)}</mark>
      {text.slice(to)}
    </bdi>
  )
}
