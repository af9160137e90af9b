import './style.css'
import { path } from '../platform/router.ts'
import { Forgot } from './forgot.tsx'
import { Register } from './register.tsx'
import { Reset } from './reset.tsx'
import { SignIn } from './sign-in.tsx'

const pages: Record<string, typeof SignIn> = {
  '/sign-in': SignIn,
  '/register': Register,
  '/forgot-password': Forgot,
  '/reset-password': Reset,
}

/** The ways in, for people who are not signed in or have a link that sets a new password. */
export default function Door() {
  const Page = pages[path.value]
  return (
    // Undefined when the page is being left.
    <div class="door">{Page && <Page key={path.value} />}</div>
  )
}
