import './style.css'
import { useSignal } from '@preact/signals'
import { useTitle } from '../../frame/site.ts'
import { useWayBack } from '../../frame/way-back.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { attempt, sayFailure } from '../../parts/failures.ts'
import { ChangedMeanwhile } from '../../parts/form/changed-meanwhile.tsx'
import { Form, Save } from '../../parts/form/form.tsx'
import { rereading, useForm } from '../../parts/form/use-form.ts'
import { Loaded } from '../../parts/skeleton.tsx'
import { Switch } from '../../parts/switch.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { say } from '../../parts/toasts.tsx'
import { named } from '../../platform/language.ts'
import { Refusal } from '../../platform/refusal.ts'
import { at, go, queryValue, setQuery } from '../../platform/router.ts'
import { Gone } from '../shared/gone.tsx'
import { sayDeleted } from '../shared/undo-deletion.ts'
import { type App, audienceOf, changeApp, type Fields, fieldsOf, oneApp, removeApp } from './data.ts'
import { AppFields } from './fields.tsx'
import { Opens, People } from './people.tsx'
import { t } from './texts.ts'
import { Who } from './who.tsx'

const tabs = ['fields', 'who', 'people', 'opens'] as const
type Tab = (typeof tabs)[number]

/** An app: how it looks and opens, who sees it, and whether it is used. */
export function OneApp({ id }: { id: number }) {
  const app = oneApp(id)
  useTitle(app.data ? named(app.data) : t.title)
  useWayBack('/admin/apps', t.title)
  if (app.error instanceof Refusal && app.error.status === 404)
    return <Gone icon="layout-grid" title={t.gone} type="app" id={id} list="/admin/apps" />
  return <Loaded of={app}>{(data) => <Inside app={data} version={app.version} />}</Loaded>
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
      <div class="desk-app-acts">
        <a class="button" href={at(`/admin/audit?type=app&id=${id}`)}>
          {t.whatHappened}
        </a>
        {!app.isSystem && <Removal app={app} />}
      </div>
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

/** Deletes the app; where something belongs to it, says what goes with it and offers to hide it instead. */
function Removal({ app }: { app: App }) {
  const { id } = app
  const asked = useSignal<{ groups: number; restrictions: number; opens: number } | undefined>(undefined)
  const isBusy = useSignal(false)
  const close = () => {
    asked.value = undefined
  }
  async function remove(force: boolean) {
    isBusy.value = true
    try {
      const kept = await removeApp(id, force)
      if (kept) asked.value = kept
      else {
        close()
        if (force) say({ text: t.removed(named(app)) })
        else sayDeleted(t.removed(named(app)), 'app', id, ['/apps', '/admin/apps', '/apps/{id}'])
        go('/admin/apps', { replace: true })
      }
    } catch (failure) {
      sayFailure(failure)
    }
    isBusy.value = false
  }
  async function hide() {
    if (!(await attempt(changeApp(id, { isActive: false }, undefined)))) return
    say({ text: t.isHidden(named(app)) })
    close()
  }
  const all = asked.value
  return (
    <>
      <Button kind="danger" icon="trash-2" isBusy={isBusy.value} onClick={() => remove(false)}>
        {t.remove}
      </Button>
      {all && (
        <Dialog
          title={t.removeTitle(named(app))}
          close={close}
          end={
            <>
              {app.isActive && (
                <Button kind="main" onClick={hide}>
                  {t.hideInstead}
                </Button>
              )}
              <Button kind="danger" isBusy={isBusy.value} onClick={() => remove(true)}>
                {t.removeWith}
              </Button>
              <Button onClick={close}>{t.cancel}</Button>
            </>
          }
        >
          <ul>
            {all.groups > 0 && <li>{t.lostGroups(all.groups)}</li>}
            {all.restrictions > 0 && <li>{t.lostRestrictions(all.restrictions)}</li>}
            {all.opens > 0 && <li>{t.lostOpens(all.opens)}</li>}
          </ul>
          <p>{t.final}</p>
        </Dialog>
      )}
    </>
  )
}
