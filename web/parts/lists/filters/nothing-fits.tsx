import type { ComponentChildren } from 'preact'
import { Button } from '../../show/button.tsx'
import { Empty } from '../../show/empty.tsx'
import { t } from './texts.ts'

/** Shown instead of a list if nothing fits its filters. */
export const NothingFits = ({ title, clear, children }: { title: string; clear: () => void; children?: ComponentChildren }) => (
  <Empty icon="search" title={title} act={<Button onClick={clear}>{t.clear}</Button>}>
    {children}
  </Empty>
)
