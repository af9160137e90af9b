import { type ComponentChildren, Fragment } from 'preact'
import { useTitle } from '../../../frame/site.ts'
import { useWayBack } from '../../../frame/way-back.ts'
import { Loaded } from '../../../parts/show/skeleton.tsx'
import type { Resource } from '../../../platform/cache.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { Gone } from './gone.tsx'

interface RecordPageProps<Data> {
  of: Resource<Data>
  /** The kind of record, as the audit log names it. */
  target: string
  id: number
  title: (data: Data) => string
  /** The title of the tab until the record is loaded. */
  noun: string
  /** The list that contains the record. */
  list: { path: string; title: string }
  /** Where the link back leads, unless to the list. */
  back?: { path: string; title: string }
  /** "This group was deleted". */
  gone: string
  children: (data: Data, version: string | undefined) => ComponentChildren
}

/** The page of a record: its title, the way back, the record once it is loaded, or who deleted it and when. */
export function RecordPage<Data>(props: RecordPageProps<Data>) {
  const { of, target, id, list, back = list, gone } = props
  useWayBack(back.path, back.title)
  if (of.error instanceof Refusal && of.error.status === 404) return <Gone title={gone} type={target} id={id} list={list.path} />
  return <Present {...props} />
}

/** The record. Its title is set here, because the title that a parent sets would overwrite that of `Gone`. */
function Present<Data>({ of, id, title, noun, children }: RecordPageProps<Data>) {
  useTitle(of.data === undefined ? noun : title(of.data))
  return <Loaded of={of}>{(data) => <Fragment key={id}>{children(data, of.version)}</Fragment>}</Loaded>
}
