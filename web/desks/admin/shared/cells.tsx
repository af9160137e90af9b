/** Cells that several lists of the administration share. */
import { Icon } from '../../../parts/show/icon.tsx'
import { TitledLine } from '../../../parts/show/lines.tsx'
import type { Titled } from '../../../parts/show/title.ts'
import { formatNumber } from '../../../platform/language.ts'
import { at } from '../../../platform/router.ts'

export const Count = ({ of }: { of: number }) => <span class={of === 0 ? 'quiet numbers' : 'numbers'}>{formatNumber(of)}</span>

/** The name of a record, linked to its page. `own` is the label of the lock that marks records of the portal itself. */
export const NameCell = ({ of, path, own }: { of: Titled; path: string; own?: string | false }) => (
  <>
    <a href={at(path)}>
      <TitledLine of={of} />
    </a>
    {own && (
      <span class="quiet" role="img" aria-label={own} title={own}>
        <Icon name="lock" size={16} />
      </span>
    )}
  </>
)
