import { useSignal } from '@preact/signals'
import { TextField } from '../../../parts/forms/field.tsx'
import { useSaving } from '../../../parts/forms/saving.ts'
import { say } from '../../../parts/overlay/toasts.tsx'
import { Button } from '../../../parts/show/button.tsx'
import { Icon } from '../../../parts/show/icon.tsx'
import { releaseSource, type Source } from './data.ts'
import { t } from './texts.ts'

/** Explains held deactivations and offers to release them. If they are a mistake, the administrator need not do anything. */
export function Held({ source: { id, heldCount } }: { source: Source }) {
  // The number stays as it was shown first: more may be held before the press, and nobody has agreed to those.
  const amount = useSignal(String(Math.max(heldCount, 1)))
  const saving = useSaving(
    async () => {
      const count = Number(amount.peek())
      await releaseSource(id, count)
      say({ text: t.released(count) })
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
          value={amount.value}
          error={saving.error('allow')}
          onInput={(event) => {
            amount.value = event.currentTarget.value
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
