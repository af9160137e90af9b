import { attempt } from '../parts/failures.ts'
import { go } from '../platform/router.ts'
import { signOut } from '../platform/session.ts'
import { t } from './texts.ts'
import { keepTheme } from './theme.ts'

/** Signs out, and shows the way back in. */
export async function leave() {
  if (!(await attempt(signOut(), t.signOutFailed))) return
  keepTheme()
  go('/sign-in', { replace: true })
}
