import '../shared/provider/ways.css'
import type { PageProps } from '../../../addresses.ts'
import { ChangedMeanwhile } from '../../../parts/forms/form/changed-meanwhile.tsx'
import { Form, Save } from '../../../parts/forms/form/form.tsx'
import { rereading, useForm } from '../../../parts/forms/form/use-form.ts'
import { Tabs } from '../../../parts/show/tabs.tsx'
import { formatNumber, named } from '../../../platform/language.ts'
import { queryValue, setQuery } from '../../../platform/router.ts'
import { RecordPage } from '../shared/record-page.tsx'
import { type Provider, providerOf, saveProvider, trialOf, type Values, valuesOf } from '../sign-in/data.ts'
import { Connection } from './connection.tsx'
import { Groups } from './groups.tsx'
import { People } from './people.tsx'
import { SessionFields } from './session-fields.tsx'
import { Steps } from './steps.tsx'
import { t } from './texts.ts'
import { writtenOf } from './written.ts'

const tabs = ['connection', 'people', 'groups', 'session'] as const
type Tab = (typeof tabs)[number]

const tabOfField: Partial<Record<keyof Values, Tab>> = {
  ...{ claims: 'people', require: 'people', createPeople: 'people', linking: 'people', domains: 'people' },
  ...{ sourceId: 'people', refreshProfile: 'people' },
  ...{ groupRules: 'groups', groupMode: 'groups' },
  ...{ secondFactor: 'session', acrValues: 'session', sessionHours: 'session', logout: 'session', logoutHint: 'session' },
}

/** A provider: its connection, the rules for who may sign in, and the steps until people can use it. */
export default function ProviderPage({ params }: PageProps) {
  const id = Number(params['id'])
  const provider = providerOf(id)
  return (
    <RecordPage
      of={provider}
      target="provider"
      id={id}
      title={named}
      noun={t.title}
      list={{ path: '/admin/sign-in', title: t.title }}
      gone={t.gone}
    >
      {(data, version) => <Editor provider={data} version={version} />}
    </RecordPage>
  )
}

function Editor({ provider, version }: { provider: Provider; version: string | undefined }) {
  const { id } = provider
  const tab = tabs.find((one) => one === queryValue('tab')) ?? 'connection'
  const choose = (next: Tab) => setQuery({ tab: next === 'connection' ? '' : next })
  const wasTried = queryValue('tried') !== ''
  const trial = wasTried ? trialOf(id).data : undefined
  // No draft, because the device must not store a secret.
  const form = useForm<Values>({
    from: valuesOf(provider),
    version,
    save: (changed, known) => saveProvider(id, changed, known),
    fieldOf: { grants_admin: 'groupRules', managed_elsewhere: 'groupMode', system_group: 'groupRules' },
    reread: rereading(providerOf(id), valuesOf),
    reveal: (field) => choose(tabOfField[field] ?? 'connection'),
    saidOf: () => t.saved,
  })
  // A refused attempt may have returned no claims.
  const parts = { form, provider, ...(trial && Object.keys(trial.claims).length > 0 && { trial }) }
  return (
    <div class="ways">
      <div class="section-head">
        <h1 class="ways-title">
          <bdi>{named(provider)}</bdi>
          {!provider.isActive && <span class="chip">{t.off}</span>}
        </h1>
      </div>
      <div class="ways-columns">
        <Steps provider={provider} isChanged={form.isChanged} wasTried={wasTried} trial={trial} />
        <Form of={form} class="ways-form">
          <Tabs<Tab>
            label={t.parts}
            value={tab}
            choose={choose}
            tabs={tabs.map((key) => ({
              key,
              text: t.tabs[key],
              ...(key === 'groups' && form.values.groupRules.length > 0 && { count: formatNumber(form.values.groupRules.length) }),
            }))}
          >
            <div class="ways-part">
              {tab === 'connection' && <Connection {...parts} />}
              {tab === 'people' && <People {...parts} />}
              {tab === 'groups' && <Groups {...parts} />}
              {tab === 'session' && <SessionFields {...parts} />}
            </div>
          </Tabs>
          <ChangedMeanwhile of={form} labels={t.fields} written={writtenOf} />
          {(form.isChanged || form.isBusy) && <Save of={form} />}
        </Form>
      </div>
    </div>
  )
}
