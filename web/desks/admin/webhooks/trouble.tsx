import { useSaving } from '../../../parts/forms/saving.ts'
import { say } from '../../../parts/overlay/toasts.tsx'
import { Button } from '../../../parts/show/button.tsx'
import { Icon } from '../../../parts/show/icon.tsx'
import { ago } from '../../../platform/ago.ts'
import { exactly } from '../../../platform/dates.ts'
import { deliveriesOf, resumeWebhook, type Webhook } from './data.ts'
import { t } from './texts.ts'

/** Says what is wrong with a webhook and what to do about it; renders nothing if it works. */
export function Trouble({ webhook }: { webhook: Webhook }) {
  const { state } = webhook
  if (state === 'working') return webhook.skipped ? <p class="quiet small">{t.skipped}</p> : null
  return state === 'failing' ? <Failing webhook={webhook} /> : <Paused webhook={webhook} />
}

function Failing({ webhook: { id, failingSince, restsUntil } }: { webhook: Webhook }) {
  const waiting = deliveriesOf(id, {}, 0).data?.deliveries ?? []
  const last = waiting.find(({ lastError }) => lastError !== null)
  return (
    <section class="card webhooks-trouble" data-kind="danger" aria-labelledby="webhooks-trouble">
      <h2 id="webhooks-trouble">
        <Icon name="triangle-alert" /> {t.failing(failingSince ? ago(failingSince) : '')}
      </h2>
      {last?.lastError && <p>{last.lastError === 'status' ? t.answered(last.lastStatus ?? 0) : t.errors[last.lastError]}</p>}
      {restsUntil && <p>{t.rests(exactly(restsUntil))}</p>}
      <p class="quiet small">{t.failingHint}</p>
    </section>
  )
}

function Paused({ webhook: { id, pausedBecause, behind } }: { webhook: Webhook }) {
  const saving = useSaving(async (from: 'missed' | 'now') => {
    await resumeWebhook(id, from)
    say({ text: t.resumed })
  })
  return (
    <section class="card webhooks-trouble" aria-labelledby="webhooks-trouble">
      <h2 id="webhooks-trouble">
        <Icon name="triangle-alert" /> {t.pausedTitle}
      </h2>
      <p>{t.pauses[pausedBecause ?? 'administrator']}</p>
      <p class="quiet small">{behind > 0 ? t.missed(behind) : t.missedNothing}</p>
      <div class="webhooks-acts">
        <Button kind="main" isBusy={saving.isBusy} onClick={() => saving.run('missed')}>
          {t.resumeMissed}
        </Button>
        <Button isBusy={saving.isBusy} onClick={() => saving.run('now')}>
          {t.resumeNow}
        </Button>
      </div>
      <p class="error" role="alert">
        {saving.problem}
      </p>
    </section>
  )
}
