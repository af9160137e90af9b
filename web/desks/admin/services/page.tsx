import type { PageProps } from '../../../addresses.ts'
import { lazily } from '../../../parts/show/lazily.tsx'
import { ServiceList } from './list.tsx'

const OneService = lazily(() => import('./one.tsx').then((loaded) => loaded.OneService))

/** The catalogue, or one of its services. */
export default function Services({ params }: PageProps) {
  const id = Number(params['id'])
  return id ? <OneService key={id} id={id} /> : <ServiceList />
}
