import type { PageProps } from '../../../addresses.ts'
import { lazily } from '../../../parts/show/lazily.tsx'
import { WebhookList } from './list.tsx'

const OneWebhook = lazily(() => import('./one.tsx').then((loaded) => loaded.OneWebhook))

/** The webhooks, or one of them. */
export default function Webhooks({ params }: PageProps) {
  const id = Number(params['id'])
  return id ? <OneWebhook key={id} id={id} /> : <WebhookList />
}
