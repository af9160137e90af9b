import type { ComponentChildren, JSX } from 'preact'
import { Icon, type IconName } from './icon.tsx'

type ButtonProps = Omit<JSX.IntrinsicElements['button'], 'icon'> & {
  /** `main`: the one main action of a page or dialog. `plain`: a minor action. `danger`: an action that removes something. */
  kind?: 'main' | 'plain' | 'danger'
  icon?: IconName
  /** Whether the action of the button is running: the button then ignores presses, but keeps its size and the focus. */
  isBusy?: boolean
  children?: ComponentChildren
}

/** A button of the portal. Without children it is round, and needs an `aria-label`. */
export function Button({ kind, icon, isBusy = false, children, onClick, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      class="button"
      data-kind={kind}
      data-shape={children ? undefined : 'round'}
      aria-busy={isBusy || undefined}
      aria-disabled={isBusy || undefined}
      onClick={isBusy ? (event) => event.preventDefault() : onClick}
      {...rest}
    >
      {icon && <Icon name={icon} />}
      {children}
    </button>
  )
}
