import type { ComponentChildren } from 'preact'
import type { Resource } from '../../../platform/cache.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { Gone } from './gone.tsx'

interface FoundProps {
  of: Resource<unknown>
  target:
    | 'user'
    | 'group'
    | 'role'
    | 'permission'
    | 'app'
    | 'service'
    | 'service_team'
    | 'working_calendar'
    | 'provider'
    | 'source'
    | 'webhook'
  id: number
  /** "This group was deleted". */
  text: string
  /** The address of the list that contained the record. */
  list: string
  children: ComponentChildren
}

/** Renders a page about a record, or says who deleted the record and when. */
export function Found({ of, target, id, text, list, children }: FoundProps) {
  if (!(of.error instanceof Refusal && of.error.status === 404)) return <>{children}</>
  return <Gone title={text} type={target} id={id} list={list} />
}
