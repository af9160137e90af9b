import { TextArea } from '../../parts/forms/field.tsx'
import { t } from './texts.ts'

const MOST = 500
const NEARLY = 100

/** The optional notes of an order. */
export function Notes({ value, change, isFirst = false }: { value: string; change: (notes: string) => void; isFirst?: boolean }) {
  const left = MOST - value.length
  return (
    <TextArea
      label={t.notes}
      autoFocus={isFirst}
      optional={t.optional}
      hint={left <= NEARLY ? t.left(left) : t.notesHint}
      maxLength={MOST}
      value={value}
      onInput={(event) => change(event.currentTarget.value)}
    />
  )
}
