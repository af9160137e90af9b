import './style.css'
import { path } from '../../platform/router.ts'
import { Connect } from './connect.tsx'
import { Forgot } from './forgot.tsx'
import { Register } from './register.tsx'
import { Reset } from './reset.tsx'
import { Second } from './second.tsx'
import { SignIn } from './sign-in.tsx'

const pages: Record<string, typeof SignIn> = {
  '/sign-in': SignIn,
  '/sign-in/second': Second,
  '/sign-in/connect': Connect,
  '/register': Register,
  '/forgot-password': Forgot,
  '/reset-password': Reset,
}

/** The pages for people who are not signed in, or who have a reset link. */
export default function Door() {
  const Page = pages[path.value]
  return (
    // `Page` is undefined while the person leaves the page.
    <div class="door">{Page && <Page key={path.value} />}</div>
  )
}
