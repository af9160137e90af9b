import type { PageProps } from '../../../addresses.ts'
import { lazily } from '../../../parts/show/lazily.tsx'
import { AppList } from './list.tsx'

const OneApp = lazily(() => import('./one.tsx').then((loaded) => loaded.OneApp))

/** All apps, or one of them. */
export default function Apps({ params }: PageProps) {
  const id = Number(params['id'])
  return id ? <OneApp key={id} id={id} /> : <AppList />
}
