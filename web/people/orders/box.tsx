import { useMemo } from 'preact/hooks'
import { TextArea } from '../../parts/forms/field.tsx'
import { Attach, type Attached } from '../../parts/forms/files/files.tsx'
import { useSaving } from '../../parts/forms/saving.ts'
import { Button } from '../../parts/show/button.tsx'
import { idempotencyKey } from '../../platform/client.ts'
import { draft } from '../../platform/drafts.ts'
import { type Place, write } from './talk-data.ts'
import { t } from './talk-texts.ts'

/**
 * A text that the device stores until it is sent. Its idempotency key changes only with the text or the files, so that a second press or a
 * retry does not send the text twice.
 */
interface Typed {
  text: string
  files: readonly Attached[]
  key: string
}
const empty = (): Typed => ({ text: '', files: [], key: idempotencyKey() })
const MOST_FILES = 5

interface BoxProps {
  place: Place
  orderId: number
  label: string
}

/** The box for a message or for a note to the team. Each has a draft of its own, so that a note is never sent as a message. */
export function Box({ place, orderId, label }: BoxProps) {
  const kept = useMemo(() => draft<Typed>(`${place}:order:${orderId}`, empty()), [place, orderId])
  const { text, files } = kept.value.value ?? empty()
  const { isBusy, problem, run } = useSaving((typed: Typed) =>
    write(place, orderId, { text: typed.text.trim(), fileIds: typed.files.map(({ id }) => id) }, typed.key),
  )
  const type = (change: Partial<Typed>) => {
    kept.value.value = { ...(kept.value.peek() ?? empty()), ...change, key: idempotencyKey() }
  }
  async function send() {
    const typed = kept.value.peek()
    if (!typed || (!typed.text.trim() && typed.files.length === 0)) return
    if (!(await run(typed))) return
    await kept.drop(typed)
  }
  return (
    <form
      class="orders-box"
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
        event.preventDefault()
        event.currentTarget.requestSubmit()
      }}
    >
      <TextArea label={label} rows={3} maxLength={2000} value={text} onInput={(event) => type({ text: event.currentTarget.value })} />
      <div class="orders-box-end">
        <Attach value={files} most={MOST_FILES} change={(files) => type({ files })} />
        <Button kind="main" type="submit" icon={place === 'note' ? 'sticky-note' : 'send'} isBusy={isBusy}>
          {place === 'note' ? t.sendNote : t.send}
        </Button>
      </div>
      <p class="error small" role="alert">
        {problem}
      </p>
    </form>
  )
}
