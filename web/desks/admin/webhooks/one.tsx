import './style.css'
import { TextField } from '../../../parts/forms/field.tsx'
import { ChangedMeanwhile } from '../../../parts/forms/form/changed-meanwhile.tsx'
import { Form, Save } from '../../../parts/forms/form/form.tsx'
import { rereading, useForm } from '../../../parts/forms/form/use-form.ts'
import { ConfirmedButton } from '../../../parts/overlay/confirmed-button.tsx'
import { say } from '../../../parts/overlay/toasts.tsx'
import { Section } from '../../../parts/show/section.tsx'
import { isolated } from '../../../platform/language.ts'
import { onward } from '../../../platform/router.ts'
import { lastEditor } from '../shared/directory.ts'
import { Head } from '../shared/head.tsx'
import { RecordPage } from '../shared/record-page.tsx'
import { pauseWebhook, removeWebhook, saveWebhook, type Values, valuesOf, type Webhook, webhookOf } from './data.ts'
import { Deliveries } from './deliveries.tsx'
import { Rotation } from './rotation.tsx'
import { StateChip } from './state.tsx'
import { t } from './texts.ts'
import { Trouble } from './trouble.tsx'
import { TypesField } from './types-field.tsx'

/** A webhook: its state with advice, its last messages, its settings and its secret. */
export function OneWebhook({ id }: { id: number }) {
  const webhook = webhookOf(id)
  return (
    <RecordPage
      of={webhook}
      target="webhook"
      id={id}
      title={({ name }) => name}
      noun={t.title}
      list={{ path: '/admin/webhooks', title: t.title }}
      gone={t.gone}
    >
      {(data, version) => <One webhook={data} version={version} />}
    </RecordPage>
  )
}

function One({ webhook, version }: { webhook: Webhook; version: string | undefined }) {
  const { id, name, url, behind, isActive } = webhook
  return (
    <div class="webhooks-one">
      <Head title={name}>
        <p class="webhooks-facts quiet small">
          <StateChip of={webhook} />
          <bdi dir="ltr">{new URL(url).host}</bdi>
          {behind > 0 && <span>{t.behind(behind)}</span>}
        </p>
      </Head>
      <Trouble webhook={webhook} />
      <Deliveries webhook={webhook} />
      <Section name="settings" title={t.settings}>
        <Editor key={id} webhook={webhook} version={version} />
      </Section>
      <Rotation webhook={webhook} />
      <div class="webhooks-acts">
        {isActive && (
          <ConfirmedButton
            act={t.pause}
            hint={t.pauseHint}
            keep={t.keep}
            isPlain
            run={async () => {
              await pauseWebhook(id)
              say({ text: t.paused(isolated(name)) })
            }}
          />
        )}
        <ConfirmedButton
          act={t.remove}
          hint={t.removeHint}
          keep={t.keep}
          run={async () => {
            const goOn = onward()
            await removeWebhook(id)
            say({ text: t.removed(isolated(name)) })
            goOn('/admin/webhooks', { replace: true })
          }}
        />
      </div>
    </div>
  )
}

function Editor({ webhook, version }: { webhook: Webhook; version: string | undefined }) {
  const { id } = webhook
  const form = useForm<Values>({
    from: valuesOf(webhook),
    version,
    draft: `webhook:${id}`,
    save: (changed, known) => saveWebhook(id, changed, known),
    reread: rereading(webhookOf(id), valuesOf),
    by: () => lastEditor('webhook', id),
    saidOf: () => t.saved,
    canUndo: true,
  })
  return (
    <Form of={form}>
      <TextField label={t.name} required maxLength={60} {...form.text('name')} />
      <TextField
        label={t.url}
        hint={form.error('url') ? undefined : t.urlHint}
        type="url"
        dir="ltr"
        required
        maxLength={2000}
        spellcheck={false}
        {...form.text('url')}
      />
      <TypesField
        value={form.values.types}
        error={form.values.types.length === 0 ? t.chooseOne : form.error('types')}
        change={(types) => form.set('types', types)}
      />
      <ChangedMeanwhile of={form} labels={{ name: t.name, url: t.url, types: t.tells }} />
      {form.isChanged && <Save of={form} />}
    </Form>
  )
}
