import type { PageProps } from '../../../addresses.ts'
import { lazily } from '../../../parts/show/lazily.tsx'
import { TeamList } from './list.tsx'

const OneTeam = lazily(() => import('./one.tsx').then((loaded) => loaded.OneTeam))

/** The teams, or one of them. */
export default function Teams({ params }: PageProps) {
  const id = Number(params['id'])
  return id ? <OneTeam key={id} id={id} /> : <TeamList />
}
