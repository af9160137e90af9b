import './styles/main.css'
import { render } from 'preact'
import { leaving } from './frame/leaving.ts'
import { preload } from './frame/room.tsx'
import { Shell } from './frame/shell.tsx'
import { path, startRouting } from './platform/router.ts'
import { startSession } from './platform/session.ts'
import { findRoute } from './routes.ts'

startRouting()
preload(path.value)
startSession(leaving).then(() => {
  const root = document.getElementById('root')!
  // Removes the loading icon that the page shows until now.
  root.replaceChildren()
  render(<Shell />, root)
  leaving()
    .then(({ startLeaving }) => startLeaving((address) => findRoute(address)?.audience === 'anyone'))
    .catch(() => {})
})
// Loaded late, so that it does not slow down the first page.
addEventListener('load', () => setTimeout(() => import('./frame/background.ts').catch(() => {}), 1500))
