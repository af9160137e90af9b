import './style.css'
import { useTitle } from '../../../frame/site.ts'
import { TextField } from '../../../parts/forms/field.tsx'
import { Form, Save } from '../../../parts/forms/form/form.tsx'
import { useForm } from '../../../parts/forms/form/use-form.ts'
import { Ordered } from '../../../parts/lists/ordered/ordered.tsx'
import { undoOrder } from '../../../parts/lists/ordered/undoing.ts'
import { SearchField } from '../../../parts/lists/search-field.tsx'
import { addressDialog } from '../../../parts/overlay/address-dialog.ts'
import { Dialog } from '../../../parts/overlay/dialog.tsx'
import { Hint } from '../../../parts/overlay/hint.tsx'
import { say } from '../../../parts/overlay/toasts.tsx'
import { Button } from '../../../parts/show/button.tsx'
import { Empty } from '../../../parts/show/empty.tsx'
import { attempt } from '../../../parts/show/failures.ts'
import { Segments } from '../../../parts/show/segments.tsx'
import { Loaded, Skeleton } from '../../../parts/show/skeleton.tsx'
import { matches } from '../../../platform/folded.ts'
import { learned } from '../../../platform/hints.ts'
import { formatNumber, inLanguage, named } from '../../../platform/language.ts'
import { at, onward, queryValue, setQuery } from '../../../platform/router.ts'
import { slugOf } from '../shared/slug.ts'
import { apps, createApp, type ListedApp, type NewApp, orderApps } from './data.ts'
import { t } from './texts.ts'
import { AppGlyph } from './tile.tsx'

const adding = addressDialog('new')

/** All apps in their default order, as tiles or as a table with figures. */
export function AppList() {
  useTitle(t.title)
  const isTable = queryValue('view') === 'table'
  return (
    <div class="desk-apps">
      <div class="section-head">
        <h1>{t.title}</h1>
        <Button kind="main" icon="plus" onClick={() => adding.open(1)}>
          {t.newApp}
        </Button>
      </div>
      <Hint of="admin/apps">{t.purpose}</Hint>
      <div class="desk-apps-head">
        <SearchField label={t.search} value={queryValue('q')} change={(q) => setQuery({ q })} />
        <Segments
          label={t.view}
          of={[
            ['', t.tiles],
            ['table', t.table],
          ]}
          value={isTable ? 'table' : ''}
          choose={(view) => setQuery({ view })}
        />
      </div>
      <Loaded of={apps} shape={<Skeleton count={12} shape="tile" height={7} />}>
        {(all) => <List all={all} isTable={isTable} />}
      </Loaded>
      {adding.opened() && <NewAppDialog />}
    </div>
  )
}

async function save(order: ListedApp[], former: ListedApp[]) {
  if (!(await attempt(orderApps(order)))) return
  learned('admin/apps')
  say({ text: t.ordered, about: 'apps', undo: undoOrder(order, apps.peek, () => save(former, order)) })
}

function List({ all, isTable }: { all: ListedApp[]; isTable: boolean }) {
  const typed = queryValue('q')
  const found = all.filter(({ nameAr, nameEn, descriptionAr, descriptionEn, slug }) =>
    matches(typed, nameAr, nameEn, descriptionAr, descriptionEn, slug),
  )
  if (all.length === 0)
    return (
      <Empty icon="layout-grid" title={t.empty} act={<Button onClick={() => adding.open(1)}>{t.addFirst}</Button>}>
        {t.emptyHint}
      </Empty>
    )
  if (found.length === 0)
    return (
      <Empty icon="search" title={t.none} act={<Button onClick={() => setQuery({ q: '' })}>{t.clear}</Button>}>
        {t.noneHint}
      </Empty>
    )
  if (isTable) return <Numbers all={found} />
  return (
    <Ordered class="desk-apps-tiles" label={t.title} items={found} nameOf={named} save={save} isFixed={found.length < all.length}>
      {(app) => (
        <a class="desk-app-tile" href={at(`/admin/apps/${app.id}`)} data-off={!app.isActive || undefined}>
          <AppGlyph app={app} />
          <span>
            <bdi>{named(app)}</bdi>
          </span>
          <State app={app} />
        </a>
      )}
    </Ordered>
  )
}

/** Marks an app that is hidden or restricted. */
const State = ({ app }: { app: ListedApp }) =>
  app.isActive ? app.restrictionCount > 0 && <span class="chip">{t.restricted}</span> : <span class="chip">{t.hidden}</span>

function Numbers({ all }: { all: ListedApp[] }) {
  return (
    <div class="desk-apps-table">
      <table>
        <thead>
          <tr>
            <th scope="col">{t.app}</th>
            <th scope="col">{t.groups}</th>
            <th scope="col">{t.restrictions}</th>
            <th scope="col">{t.opens}</th>
          </tr>
        </thead>
        <tbody>
          {all.map((app) => (
            <tr key={app.id} data-off={!app.isActive || undefined}>
              <th scope="row">
                <a href={at(`/admin/apps/${app.id}`)}>
                  <bdi>{named(app)}</bdi>
                </a>{' '}
                {!app.isActive && <span class="chip">{t.hidden}</span>}
              </th>
              <td>{formatNumber(app.groupCount)}</td>
              <td>{formatNumber(app.restrictionCount)}</td>
              <td>{formatNumber(app.openCount)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function NewAppDialog() {
  const form = useForm<NewApp>({
    from: { nameAr: '', nameEn: '', slug: '', externalUrl: '' },
    draft: 'app:new',
    fieldOf: { slug_taken: 'slug' },
    save: async (_, __, all) => {
      const goOn = onward()
      const made = await createApp({ ...all, slug: all.slug || slugOf(all.nameEn, 100) })
      goOn(`/admin/apps/${made.id}`, { replace: true })
    },
    saidOf: ({ nameAr, nameEn }) => t.created(inLanguage(nameAr, nameEn)),
  })
  return (
    <Dialog title={t.newApp} close={adding.close} isUnsaved={() => false}>
      <Form of={form}>
        <TextField label={t.nameAr} required maxLength={200} dir="rtl" {...form.text('nameAr')} />
        <TextField label={t.nameEn} required maxLength={200} dir="ltr" {...form.text('nameEn')} />
        <TextField
          label={t.slug}
          hint={t.slugHint}
          maxLength={100}
          dir="ltr"
          spellcheck={false}
          placeholder={slugOf(form.values.nameEn, 100)}
          {...form.text('slug')}
        />
        <TextField type="url" label={t.externalUrl} hint={t.newUrlHint} maxLength={2000} dir="ltr" {...form.text('externalUrl')} />
        <Save of={form} text={t.create} />
      </Form>
    </Dialog>
  )
}
