import './style.css'
import { useTitle } from '../../../frame/site.ts'
import { Form, Save } from '../../../parts/forms/form/form.tsx'
import { useForm } from '../../../parts/forms/form/use-form.ts'
import { Switch } from '../../../parts/forms/switch.tsx'
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
import { Loaded, Skeleton } from '../../../parts/show/skeleton.tsx'
import { matches } from '../../../platform/folded.ts'
import { learned } from '../../../platform/hints.ts'
import { formatNumber, inLanguage, named } from '../../../platform/language.ts'
import { at, onward, queryValue, setQuery } from '../../../platform/router.ts'
import { ServiceGlyph } from './card.tsx'
import { CategoryDialog, RemoveCategory } from './category.tsx'
import {
  blank,
  type Category,
  categories,
  countOpenOrders,
  createService,
  type Fields,
  inOrder,
  ofCategory,
  orderCategories,
  orderServices,
  priceOf,
  type Service,
  services,
  switchService,
} from './data.ts'
import { ServiceFields } from './fields.tsx'
import { t } from './texts.ts'

const adding = addressDialog('new')
const naming = addressDialog('category-name')
const removing = addressDialog('category-delete')

/** The catalogue for administrators: its categories, and the services of one category or of all. */
export function ServiceList() {
  useTitle(t.title)
  const rows = <Skeleton count={6} shape="line" height={3.5} />
  return (
    <div class="desk-services">
      <div class="section-head">
        <h1>{t.title}</h1>
        <Button kind="main" icon="plus" onClick={() => adding.open(1)}>
          {t.newService}
        </Button>
      </div>
      <Hint of="admin/services">{t.purpose}</Hint>
      <Loaded of={services} shape={rows}>
        {(all) => (
          <Loaded of={categories} shape={rows}>
            {(known) => <Catalogue all={all} known={inOrder(known)} />}
          </Loaded>
        )}
      </Loaded>
      {adding.opened() && <NewService />}
    </div>
  )
}

function Catalogue({ all, known }: { all: Service[]; known: Category[] }) {
  const chosen = queryValue('category')
  const category = known.find(({ id }) => String(id) === chosen)
  const about = known.find(({ id }) => String(id) === (naming.opened() || removing.opened()))
  return (
    <>
      {all.length === 0 && known.length === 0 ? (
        <Empty icon="coffee" title={t.empty} act={<Button onClick={() => naming.open('new')}>{t.newCategory}</Button>}>
          {t.emptyHint}
        </Empty>
      ) : (
        <div class="desk-services-halves">
          <Categories all={all} known={known} chosen={chosen} />
          <Services all={all} known={known} category={category} isWithout={chosen === 'none'} />
        </div>
      )}
      {naming.opened() && <CategoryDialog key={naming.opened()} category={about} close={naming.close} />}
      {removing.opened() && about && (
        <RemoveCategory key={about.id} category={about} count={ofCategory(all, about.id).length} close={removing.close} />
      )}
    </>
  )
}

async function saveCategories(order: Category[], former: Category[]) {
  if (await attempt(orderCategories(order)))
    say({ text: t.categoriesOrdered, about: 'categories', undo: undoOrder(order, categories.peek, () => saveCategories(former, order)) })
}

function Categories({ all, known, chosen }: { all: Service[]; known: Category[]; chosen: string }) {
  const place = (value: string, text: string, count: number) => (
    <button type="button" class="desk-services-category" aria-pressed={chosen === value} onClick={() => setQuery({ category: value })}>
      <bdi>{text}</bdi>
      <span class="quiet small numbers">{formatNumber(count)}</span>
    </button>
  )
  const without = ofCategory(all, undefined).length
  return (
    <section class="desk-services-categories" aria-label={t.categories}>
      {place('', t.all, all.length)}
      <Ordered label={t.categories} items={known} nameOf={named} save={saveCategories}>
        {(category) => place(String(category.id), named(category), ofCategory(all, category.id).length)}
      </Ordered>
      {without > 0 && known.length > 0 && place('none', t.without, without)}
      <Button icon="plus" kind="plain" onClick={() => naming.open('new')}>
        {t.newCategory}
      </Button>
    </section>
  )
}

async function saveServices(order: Service[], former: Service[]) {
  if (await attempt(orderServices(order)))
    say({ text: t.servicesOrdered, about: 'services', undo: undoOrder(order, services.peek, () => saveServices(former, order)) })
}

interface ServicesProps {
  all: Service[]
  known: Category[]
  category: Category | undefined
  /** Whether this entry stands for the services without a category. */
  isWithout: boolean
}
function Services({ all, known, category, isWithout }: ServicesProps) {
  const typed = queryValue('q')
  const inside = category || isWithout ? ofCategory(all, category?.id) : all
  const found = inside.filter(({ nameAr, nameEn, descriptionAr, descriptionEn }) =>
    matches(typed, nameAr, nameEn, descriptionAr, descriptionEn),
  )
  return (
    <section aria-label={category ? named(category) : isWithout ? t.without : t.all}>
      <div class="desk-services-head">
        <SearchField label={t.search} value={typed} change={(q) => setQuery({ q })} />
        {category && (
          <>
            <Button kind="plain" icon="pencil" onClick={() => naming.open(category.id)}>
              {t.renameCategory}
            </Button>
            <Button kind="plain" icon="trash-2" onClick={() => removing.open(category.id)}>
              {t.removeCategory}
            </Button>
          </>
        )}
      </div>
      {found.length === 0 && typed && (
        <Empty icon="search" title={t.none} act={<Button onClick={() => setQuery({ q: '' })}>{t.clear}</Button>}>
          {t.noneHint}
        </Empty>
      )}
      {found.length === 0 && !typed && <p class="quiet">{t.emptyCategory}</p>}
      {found.length > 0 && (
        <Ordered
          class="desk-services-rows"
          label={t.title}
          items={found}
          nameOf={named}
          save={saveServices}
          isFixed={found.length < inside.length}
        >
          {(service) => <Row service={service} category={known.find(({ id }) => id === service.categoryId)} />}
        </Ordered>
      )}
    </section>
  )
}

function Row({ service, category }: { service: Service; category: Category | undefined }) {
  const name = named(service)
  async function turn(on: boolean) {
    if (!(await attempt(switchService(service.id, on)))) return
    learned('admin/services')
    const open = on ? 0 : await countOpenOrders(service.id).catch(() => 0)
    say({ text: on ? t.on(name) : t.off(name, open), about: `service ${service.id}`, undo: () => void turn(!on) })
  }
  return (
    <div class="desk-services-row" data-off={!service.isAvailable || undefined}>
      <ServiceGlyph of={service} category={category} />
      <a href={at(`/admin/services/${service.id}`)}>
        <bdi>{name}</bdi>
        <span class="quiet small" dir="auto">
          {inLanguage(service.descriptionAr, service.descriptionEn)}
        </span>
      </a>
      <span class="small">
        <bdi>{priceOf(service) || t.free}</bdi>
      </span>
      <span class="quiet small">{t.orders(service.orderCount)}</span>
      <Switch label={t.orderableOf(name)} on={service.isAvailable} change={turn} />
    </div>
  )
}

function NewService() {
  const category = queryValue('category')
  const form = useForm<Fields>({
    from: { ...blank, categoryId: category === 'none' ? '' : category },
    draft: 'service:new',
    isNew: true,
    save: async (_, __, all) => {
      const goOn = onward()
      const made = await createService(all)
      goOn(`/admin/services/${made.id}`, { replace: true })
    },
    saidOf: ({ nameAr, nameEn }) => t.created(inLanguage(nameAr, nameEn)),
  })
  return (
    <Dialog title={t.newService} close={adding.close} isUnsaved={() => false} class="desk-services-new">
      <Form of={form}>
        <ServiceFields form={form} />
        <Save of={form} text={t.create} />
      </Form>
    </Dialog>
  )
}
