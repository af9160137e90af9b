import '../../../parts/lists/filters/filters.css'
import { Icon } from '../../../parts/show/icon.tsx'
import { resource } from '../../../platform/cache.ts'
import { t } from './texts.ts'

/** The source that a list is filtered by, in a button that shows the whole list again. */
export function SourcePick({ id, clear }: { id: number; clear: () => void }) {
  const source = resource('/admin/provisioning/sources').data?.find((one) => one.id === id)
  return (
    <button type="button" class="pick pick-on" onClick={clear}>
      <Icon name="x" size={16} />
      <span>
        {t.source} <bdi>{source?.name ?? id}</bdi>
      </span>
    </button>
  )
}
