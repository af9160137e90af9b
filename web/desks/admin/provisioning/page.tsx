import type { PageProps } from '../../../addresses.ts'
import { lazily } from '../../../parts/show/lazily.tsx'
import { SourceList } from './list.tsx'

const OneSource = lazily(() => import('./one.tsx').then((loaded) => loaded.OneSource))

/** The sources of accounts, or one of them. */
export default function Provisioning({ params }: PageProps) {
  const id = Number(params['id'])
  return id ? <OneSource key={id} id={id} /> : <SourceList />
}
