import './meanwhile.css'
import { ago } from '../../../platform/ago.ts'
import type { Schemas } from '../../../platform/client.ts'
import { isolated, nameOf } from '../../../platform/language.ts'
import { SentenceText } from '../../overlay/consequences/consequences.tsx'
import { Avatar } from '../avatar.tsx'
import { Button } from '../button.tsx'
import type { Present } from './presence.tsx'
import { t } from './texts.ts'

/** A save by somebody else. */
export interface Saved {
  by: Schemas['AuditLogActor']
  at: string
}

interface MeanwhileProps {
  saved: Saved | undefined
  present: readonly Present[]
  /** Shows the change. */
  show?: () => void
}

/** Says that somebody else saved the open record or is editing it. Mere readers are not mentioned. */
export function Meanwhile({ saved, present, show }: MeanwhileProps) {
  const editor = present.find(({ editing }) => editing)
  const who = saved?.by ?? editor?.user
  return (
    <div role="status">
      {who && (
        <div class="meanwhile">
          <Avatar person={who} size={28} />
          <span>
            <SentenceText text={saved ? t.changedBy(isolated(nameOf(who)), ago(saved.at)) : t.alsoEditing(isolated(nameOf(who)))} />
          </span>
          {saved && show && <Button onClick={show}>{t.show}</Button>}
        </div>
      )}
    </div>
  )
}
