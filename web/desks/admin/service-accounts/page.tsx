import type { PageProps } from '../../../addresses.ts'
import { lazily } from '../../../parts/show/lazily.tsx'
import { AccountList } from './list.tsx'

const OneAccount = lazily(() => import('./one.tsx').then((loaded) => loaded.OneAccount))

/** The service accounts, or one of them. */
export default function ServiceAccounts({ params }: PageProps) {
  const id = Number(params['id'])
  return id ? <OneAccount key={id} id={id} /> : <AccountList />
}
