import './dependents.css'
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { TextField } from '../../../parts/forms/field.tsx'
import { useClosing, useSaving } from '../../../parts/forms/saving.ts'
import { Dialog } from '../../../parts/overlay/dialog.tsx'
import { Button } from '../../../parts/show/button.tsx'
import { Tabs } from '../../../parts/show/tabs.tsx'
import { formatNumber, isolated } from '../../../platform/language.ts'
import { type go, onward } from '../../../platform/router.ts'
import { t } from './texts.ts'

interface Kind<K extends string> {
  key: K
  text: string
  /** The number of dependents of this kind. A kind without dependents is not shown. */
  count: number
  /** The list itself, rendered when its tab is opened. */
  list: () => ComponentChildren
  /** Whether opening the list is recorded in the audit log; it then opens only on a press. */
  isAudited?: boolean
}

interface DependentsProps<K extends string> {
  /** The effect of the deletion: "Deleting Finance removes 212 people from it and costs 84 of them an app". */
  title: string
  kinds: readonly Kind<K>[]
  /** Alternatives to deleting, the gentlest first. */
  instead?: readonly { text: string; hint?: string; run: () => void }[]
  /** The name that the administrator must type, if a lot is lost. */
  name?: string | undefined
  /** The text of the button: "Delete with 212 memberships". */
  button: string
  /** Whether a toast with undo follows the deletion. */
  isUndoable?: boolean
  remove: () => Promise<unknown>
  /** Called after the deletion; `goOn` does nothing once the administrator has left the page. */
  done: (goOn: typeof go) => void
  close: () => void
}

/** Shows, before a deletion, the records that are deleted with it, list by list, and the alternatives. */
export function Dependents<K extends string>({
  title,
  kinds,
  instead = [],
  name,
  button,
  isUndoable,
  remove,
  done,
  close,
}: DependentsProps<K>) {
  const shown = kinds.filter(({ count }) => count > 0)
  const chosen = useSignal<K | undefined>(shown[0]?.key)
  const opened = useSignal<readonly K[]>([])
  const typed = useSignal('')
  const closing = useClosing(close)
  const { isBusy, problem, run } = useSaving(remove)
  const kind = shown.find(({ key }) => key === chosen.value) ?? shown[0]
  const list = (one: Kind<K>) =>
    one.isAudited && !opened.value.includes(one.key) ? (
      <p class="dependents-audited">
        <span class="quiet">{t.audited}</span>
        <Button
          onClick={() => {
            opened.value = [...opened.value, one.key]
          }}
        >
          {t.openList}
        </Button>
      </p>
    ) : (
      one.list()
    )
  return (
    <Dialog
      title={title}
      close={close}
      class="dependents"
      isUnsaved={() => false}
      end={
        <>
          <Button kind="plain" onClick={close}>
            {t.cancel}
          </Button>
          <Button
            kind="danger"
            icon="trash-2"
            isBusy={isBusy}
            disabled={name !== undefined && typed.value.trim() !== name.trim()}
            onClick={async () => {
              const goOn = onward()
              if (!(await run())) return
              closing()
              done(goOn)
            }}
          >
            {button}
          </Button>
        </>
      }
    >
      {instead.length > 0 && (
        <section class="dependents-instead">
          <h3>{t.instead}</h3>
          {instead.map(({ text, hint, run }) => (
            <div key={text}>
              <Button kind="main" onClick={run}>
                {text}
              </Button>
              {hint && <p class="quiet small">{hint}</p>}
            </div>
          ))}
        </section>
      )}
      {kind && (
        <Tabs<K>
          label={title}
          tabs={shown.map(({ key, text, count }) => ({ key, text, count: formatNumber(count) }))}
          value={kind.key}
          choose={(key) => {
            chosen.value = key
          }}
        >
          <div class="dependents-list">{list(kind)}</div>
        </Tabs>
      )}
      {name !== undefined && (
        <TextField
          label={t.typeName(isolated(name))}
          autocomplete="off"
          spellcheck={false}
          value={typed.value}
          onInput={(event) => {
            typed.value = event.currentTarget.value
          }}
        />
      )}
      {!isUndoable && <p class="small">{t.final}</p>}
      <p class="error" role="alert">
        {problem}
      </p>
    </Dialog>
  )
}
