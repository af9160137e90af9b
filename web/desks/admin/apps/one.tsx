import './style.css'
import { ChangedMeanwhile } from '../../../parts/forms/form/changed-meanwhile.tsx'
import { Form, Save } from '../../../parts/forms/form/form.tsx'
import { rereading, useForm } from '../../../parts/forms/form/use-form.ts'
import { Switch } from '../../../parts/forms/switch.tsx'
import { say } from '../../../parts/overlay/toasts.tsx'
import { attempt } from '../../../parts/show/failures.ts'
import { Tabs } from '../../../parts/show/tabs.tsx'
import { named } from '../../../platform/language.ts'
import { queryValue, setQuery } from '../../../platform/router.ts'
import { RecordPage } from '../shared/record-page.tsx'
import { type App, audienceOf, changeApp, type Fields, fieldsOf, oneApp } from './data.ts'
import { AppFields } from './fields.tsx'
import { AppHistory } from './history.tsx'
import { Opens, People } from './people.tsx'
import { Removal } from './removal.tsx'
import { t } from './texts.ts'
import { Who } from './who.tsx'

const tabs = ['fields', 'who', 'people', 'opens', 'history'] as const
type Tab = (typeof tabs)[number]

/** An app: its look and address, who sees it, and how much it is used. */
export function OneApp({ id }: { id: number }) {
  const app = oneApp(id)
  return (
    <RecordPage of={app} target="app" id={id} title={named} noun={t.title} list={{ path: '/admin/apps', title: t.title }} gone={t.gone}>
      {(data, version) => <Inside app={data} version={version} />}
    </RecordPage>
  )
}

function Inside({ app, version }: { app: App; version: string | undefined }) {
  const chosen = tabs.find((tab) => tab === queryValue('tab')) ?? 'fields'
  return (
    <div class="desk-app">
      <div class="section-head">
        <h1>
          <bdi>{named(app)}</bdi>
        </h1>
        {!app.isActive && <span class="chip">{t.hidden}</span>}
      </div>
      <Tabs
        label={t.parts}
        tabs={tabs.map((key) => ({ key, text: t.tabs[key] }))}
        value={chosen}
        choose={(tab: Tab) => setQuery({ tab: tab === 'fields' ? '' : tab })}
      >
        {chosen === 'fields' && <Editor app={app} version={version} />}
        {chosen === 'who' && <Who app={app} />}
        {chosen === 'people' && <People app={app} />}
        {chosen === 'opens' && <Opens app={app} />}
        {chosen === 'history' && <AppHistory app={app} />}
      </Tabs>
    </div>
  )
}

function Editor({ app, version }: { app: App; version: string | undefined }) {
  const { id, slug } = app
  const form = useForm<Fields>({
    from: fieldsOf(app),
    version,
    draft: `app:${id}`,
    save: (changed, version) => changeApp(id, changed, version),
    reread: rereading(oneApp(id), fieldsOf),
    saidOf: () => t.saved,
    canUndo: true,
  })
  return (
    <div class="desk-app-part">
      <Form of={form}>
        <AppFields form={form} slug={slug} />
        <ChangedMeanwhile
          of={form}
          labels={{
            ...{ nameAr: t.nameAr, nameEn: t.nameEn, descriptionAr: t.descriptionAr, descriptionEn: t.descriptionEn },
            ...{ openMode: t.openMode, externalUrl: t.externalUrl, route: t.route, iconName: t.icon, imageUrl: t.picture, color: t.color },
          }}
        />
        {form.isChanged && <Save of={form} />}
      </Form>
      <Activity app={app} />
      {!app.isSystem && (
        <div class="desk-app-acts">
          <Removal app={app} />
        </div>
      )}
    </div>
  )
}

/** Hides the app from everyone, or shows it again. */
function Activity({ app }: { app: App }) {
  const { id, isActive } = app
  const seen = audienceOf(id, '', 1).data?.totalCount
  async function turn(on: boolean) {
    if (!(await attempt(changeApp(id, { isActive: on }, undefined)))) return
    say({ text: on ? t.shown(named(app)) : t.isHidden(named(app)), about: `app ${id}`, undo: () => void turn(!on) })
  }
  return (
    <div class="desk-app-activity">
      <Switch label={t.active} hint={isActive && seen !== undefined ? t.hideHint(seen) : t.activeHint} on={isActive} change={turn} />
    </div>
  )
}
