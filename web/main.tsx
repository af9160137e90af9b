import './styles/main.css'
import { render } from 'preact'
import { preload } from './frame/room.tsx'
import { Shell } from './frame/shell.tsx'
import { path, startRouting } from './platform/router.ts'
import { startSession } from './platform/session.ts'

startRouting()
preload(path.value)
startSession().then(() => {
  const root = document.getElementById('root')!
  // Until then it has the figure of the gate.
  root.replaceChildren()
  render(<Shell />, root)
})
// What nobody waits for leaves the first page its connection.
addEventListener('load', () => setTimeout(() => import('./frame/background.ts').catch(() => {}), 1500))
