import './style.css'
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { formatNumber, isolated } from '../../../platform/language.ts'
import { uploadPrivate } from '../../../platform/upload.ts'
import { Button } from '../../show/button.tsx'
import { meaningOf, report } from '../../show/failures.ts'
import { t } from './texts.ts'

/** A private file that has been uploaded and not been used yet. */
export interface Attached {
  id: string
  name: string
}

interface AttachProps {
  /** The label of the field. Its button always says that it attaches a file. */
  label?: string
  value: readonly Attached[]
  change: (files: readonly Attached[]) => void
  most: number
  /** The file types that the device offers, such as `image/*`. */
  accept?: string
  error?: string | undefined
}

/**
 * Private files from the device, uploaded one after the other, with their progress. During an upload the file input is invalid, so that a
 * form that checks validity is not sent, and the field says why.
 */
export function Attach({ label = t.attach, value, change, most, accept, error }: AttachProps) {
  const input = useRef<HTMLInputElement>(null)
  const running = useSignal<{ name: string; sent: number } | undefined>(undefined)
  const problem = useSignal('')
  /** Whether the person tried to send the surrounding form during an upload. */
  const isAwaited = useSignal(false)
  const stop = useRef<AbortController | undefined>(undefined)
  /** The latest props: an upload outlasts the render that began it, and must add its file to the current ones. */
  const newest = useRef({ value, change })
  newest.current = { value, change }
  const become = (by: (now: readonly Attached[]) => readonly Attached[]) => {
    const files = by(newest.current.value)
    newest.current.value = files
    newest.current.change(files)
  }
  useEffect(() => () => stop.current?.abort(), [])
  async function send(files: File[]) {
    const field = input.current!
    isAwaited.value = false
    field.setCustomValidity(t.uploading)
    problem.value = files.length + value.length > most ? t.tooMany(formatNumber(most)) : ''
    for (const file of files.slice(0, most - value.length)) {
      stop.current = new AbortController()
      const { signal } = stop.current
      running.value = { name: file.name, sent: 0 }
      try {
        const progress = (sent: number) => {
          running.value = { name: file.name, sent }
        }
        const id = await uploadPrivate(file, file.name, { signal, progress })
        become((now) => [...now, { id, name: file.name }])
      } catch (failure) {
        if (!signal.aborted) {
          report(failure)
          problem.value = meaningOf(failure)
        }
        break
      } finally {
        running.value = undefined
      }
    }
    field.setCustomValidity('')
    // Allows the same file to be chosen again.
    field.value = ''
  }
  const now = running.value
  return (
    <div class="files" role="group" tabIndex={-1} aria-label={label}>
      {value.length > 0 && (
        <ul class="files-list" aria-label={t.attached}>
          {value.map(({ id, name }) => (
            <li key={id}>
              <bdi>{name}</bdi>
              <Button
                kind="plain"
                icon="x"
                aria-label={t.remove(isolated(name))}
                onClick={() => become((now) => now.filter((one) => one.id !== id))}
              />
            </li>
          ))}
        </ul>
      )}
      {now ? (
        <p class="files-running small">
          <bdi>{now.name}</bdi>
          <progress value={now.sent} aria-label={t.sent(formatNumber(now.sent, { style: 'percent' }))} />
          <Button kind="plain" icon="x" aria-label={t.stop(isolated(now.name))} onClick={() => stop.current?.abort()} />
        </p>
      ) : (
        value.length < most && (
          <Button icon="paperclip" onClick={() => input.current?.click()}>
            {t.attach}
          </Button>
        )
      )}
      <input
        ref={input}
        type="file"
        hidden
        multiple={most - value.length > 1}
        accept={accept}
        aria-label={label}
        onChange={(event) => send([...(event.currentTarget.files ?? [])])}
        onInvalid={(event) => {
          // The browser would show its own message at the hidden input.
          event.preventDefault()
          isAwaited.value = true
          event.currentTarget.parentElement?.focus()
        }}
      />
      <p class="error small" role="alert">
        {(now && isAwaited.value && t.uploading) || problem.value || error}
      </p>
    </div>
  )
}
