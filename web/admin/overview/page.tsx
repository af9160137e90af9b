import { useTitle } from '../../frame/site.ts'
import { t } from '../texts.ts'

/** The first page of the administration. */
export default function Overview() {
  useTitle(t.title)
  return <h1>{t.title}</h1>
}
