import type { ComponentChildren } from 'preact'
import { knows, type Lesson, learned } from '../../platform/hints.ts'
import { Icon } from '../show/icon.tsx'
import { t } from '../texts.ts'

/** A hint that is shown until the person dismisses it or has done what it suggests. */
export const Hint = ({ of, children }: { of: Lesson; children: ComponentChildren }) =>
  knows(of) ? null : (
    <p class="hint small">
      <Icon name="lightbulb" size={18} />
      <span>{children}</span>
      <button type="button" class="button" data-kind="plain" data-shape="round" aria-label={t.gotIt} onClick={() => learned(of)}>
        <Icon name="x" size={18} />
      </button>
    </p>
  )
