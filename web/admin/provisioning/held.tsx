import { useSignal } from '@preact/signals'
import { Button } from '../../parts/button.tsx'
import { TextField } from '../../parts/field.tsx'
import { Icon } from '../../parts/icon.tsx'
import { useSaving } from '../../parts/saving.ts'
import { say } from '../../parts/toasts.tsx'
import { releaseSource, type Source } from './data.ts'
import { t } from './texts.ts'

/** Explains held deactivations and offers to release them. If they are a mistake, the administrator need not do anything. */
export function Held({ source: { id, heldCount } }: { source: Source }) {
  const typed = useSignal<string | undefined>(undefined)
  const amount = typed.value ?? String(Math.max(heldCount, 1))
  const saving = useSaving(
    async () => {
      await releaseSource(id, Number(amount))
      say({ text: t.released(Number(amount)) })
    },
    { fields: ['allow'] },
  )
  return (
    <section class="card provisioning-held" aria-labelledby="provisioning-held">
      <h2 id="provisioning-held">
        <Icon name="triangle-alert" />
        {t.heldTitle(heldCount)}
      </h2>
      <p>{t.heldHint}</p>
      <p>{t.heldMistake}</p>
      <form
        class="provisioning-release"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (saving.isFilled(event.currentTarget)) saving.run()
        }}
      >
        <TextField
          label={t.allow}
          hint={t.allowHint}
          name="allow"
          type="number"
          required
          min={1}
          max={100_000}
          dir="ltr"
          value={amount}
          error={saving.error('allow')}
          onInput={(event) => {
            typed.value = event.currentTarget.value
          }}
        />
        <Button type="submit" isBusy={saving.isBusy}>
          {t.release}
        </Button>
      </form>
      <p class="error" role="alert">
        {saving.problem}
      </p>
    </section>
  )
}
