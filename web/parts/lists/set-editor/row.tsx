import type { ComponentChildren } from 'preact'
import { Icon } from '../../show/icon.tsx'
import { t } from './texts.ts'

export type RowState = 'stays' | 'joins' | 'leaves' | 'ends'

interface RowProps {
  row: number
  top: string
  isReached: boolean
  reach: () => void
  state: RowState
  name: string
  /** Why the item cannot be removed. */
  reason: ComponentChildren
  /** Whether nothing can be removed from the set. */
  isLocked: boolean
  toggle: () => void
  /** The end of the item, and the button that changes it. */
  end?: ComponentChildren
  /** The rendered item; nothing while it loads. */
  children: ComponentChildren
}

/** One item of a set, with its staged change and the button that changes it. */
export function Row({ row, top, isReached, reach, state, name, reason, isLocked, toggle, end, children }: RowProps) {
  const isChanged = state !== 'stays'
  return (
    <div
      class="set-row"
      role="row"
      aria-rowindex={row + 1}
      data-state={isChanged ? state : undefined}
      tabIndex={isReached ? 0 : -1}
      style={{ insetBlockStart: top }}
      onFocusCapture={reach}
    >
      <div role="gridcell" class="set-item" aria-busy={children === undefined || undefined}>
        {children ?? <span class="set-shape" />}
      </div>
      <div role="gridcell" class="set-act">
        {children !== undefined && end}
        {isChanged ? <span class="small set-word">{t[state]}</span> : reason && <span class="quiet small">{reason}</span>}
        {children !== undefined && (isChanged || !(reason || isLocked)) && (
          <button
            type="button"
            class="button"
            data-kind="plain"
            data-shape="round"
            tabIndex={-1}
            aria-label={isChanged ? t.takeBack(name) : t.remove(name)}
            onClick={toggle}
          >
            <Icon name={isChanged ? 'undo-2' : 'x'} size={18} />
          </button>
        )}
      </div>
    </div>
  )
}

/**
 * The control to which a sideways arrow leads from `element`: the next or the previous one in the row; beyond either end, the row itself.
 */
export function besides(row: HTMLElement, element: HTMLElement, key: string) {
  const all = [row, ...row.querySelectorAll<HTMLElement>('.set-act > button')]
  const onward = getComputedStyle(row).direction === 'rtl' ? 'ArrowLeft' : 'ArrowRight'
  return all[all.indexOf(element) + (key === onward ? 1 : -1)] ?? row
}
