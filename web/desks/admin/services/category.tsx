import { useSignal } from '@preact/signals'
import { TextField } from '../../../parts/forms/field.tsx'
import { ChangedMeanwhile } from '../../../parts/forms/form/changed-meanwhile.tsx'
import { Form, Save } from '../../../parts/forms/form/form.tsx'
import { rereading, useForm } from '../../../parts/forms/form/use-form.ts'
import { useDrawn } from '../../../parts/forms/saving.ts'
import { Dialog } from '../../../parts/overlay/dialog.tsx'
import { Button } from '../../../parts/show/button.tsx'
import { attempt } from '../../../parts/show/failures.ts'
import { Loaded, Skeleton } from '../../../parts/show/skeleton.tsx'
import { named } from '../../../platform/language.ts'
import { queryValue, setQuery } from '../../../platform/router.ts'
import { sayDeleted } from '../shared/undo-deletion.ts'
import { type Category, type CategoryNames, changeCategory, createCategory, namesOf, oneCategory, removeCategory } from './data.ts'
import { t } from './texts.ts'

/** Renames a category, or creates one. */
export function CategoryDialog({ category, close }: { category: Category | undefined; close: () => void }) {
  const record = category && oneCategory(category.id)
  return (
    <Dialog title={category ? t.renameCategory : t.newCategory} close={close}>
      {record ? (
        <Loaded of={record} shape={<Skeleton count={2} shape="line" />}>
          {(now) => <Names category={now} version={record.version} close={close} />}
        </Loaded>
      ) : (
        <Names close={close} />
      )}
    </Dialog>
  )
}

function Names({ category, version, close }: { category?: Category; version?: string | undefined; close: () => void }) {
  const form = useForm<CategoryNames>({
    from: category ? namesOf(category) : { nameAr: '', nameEn: '' },
    version,
    save: (changed, version, all) => (category ? changeCategory(category.id, changed, version) : createCategory(all)),
    after: (isThere) => isThere && close(),
    ...(category && {
      reread: rereading(oneCategory(category.id), namesOf),
      canUndo: true,
    }),
    saidOf: () => (category ? t.categorySaved : t.categoryCreated),
  })
  return (
    <Form of={form}>
      <TextField label={t.nameAr} required maxLength={200} dir="rtl" autoFocus {...form.text('nameAr')} />
      <TextField label={t.nameEn} required maxLength={200} dir="ltr" {...form.text('nameEn')} />
      <ChangedMeanwhile of={form} labels={{ nameAr: t.nameAr, nameEn: t.nameEn }} />
      <Save of={form} {...(!category && { text: t.createCategory })} />
    </Form>
  )
}

/** Deletes a category. Its services stay, without a category. */
export function RemoveCategory({ category, count, close }: { category: Category; count: number; close: () => void }) {
  const { id } = category
  const isBusy = useSignal(false)
  const isDrawn = useDrawn()
  const remove = async () => {
    isBusy.value = true
    if (await attempt(removeCategory(id))) {
      sayDeleted(t.categoryRemoved(named(category)), { type: 'service_category', id, lists: ['/services', '/service-categories'] })
      setQuery({
        ...(queryValue('category') === String(id) && { category: '' }),
        ...(isDrawn() && { 'category-delete': '' }),
      })
    } else isBusy.value = false
  }
  return (
    <Dialog
      title={t.removeCategoryTitle(named(category))}
      close={close}
      end={
        <>
          <Button kind="danger" isBusy={isBusy.value} onClick={remove}>
            {t.removeCategory}
          </Button>
          <Button onClick={close}>{t.cancel}</Button>
        </>
      }
    >
      <p>{t.removeCategoryHint(count)}</p>
    </Dialog>
  )
}
