import type { ComponentChildren } from 'preact'
import type { Resource } from '../../platform/cache.ts'
import { Refusal } from '../../platform/refusal.ts'
import { Gone } from './gone.tsx'

interface FoundProps {
  of: Resource<unknown>
  target: 'user' | 'group' | 'role' | 'permission' | 'app' | 'service'
  id: number
  /** "This group was deleted". */
  text: string
  /** The address of the list that it stood in. */
  list: string
  children: ComponentChildren
}

/** Draws a page about a record; in place of one that is not there any more, who deleted it and when. */
export function Found({ of, target, id, text, list, children }: FoundProps) {
  if (!(of.error instanceof Refusal && of.error.status === 404)) return <>{children}</>
  return <Gone title={text} type={target} id={id} list={list} />
}
