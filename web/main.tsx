import './styles/main.css'
import { render } from 'preact'
import { preload } from './frame/room.tsx'
import { Shell } from './frame/shell.tsx'
import { path, startRouting } from './platform/router.ts'
import { startSession } from './platform/session.ts'

startRouting()
preload(path.value)
const root = document.getElementById('root')!
let isDrawn = false
const draw = () => {
  if (isDrawn) return
  isDrawn = true
  root.replaceChildren()
  render(<Shell />, root)
}
// At once from what the device has; who has nothing here yet sees the figure of the gate until the portal has answered.
startSession(draw).then(draw)
// What nobody waits for leaves the first page its connection.
addEventListener('load', () => setTimeout(() => import('./frame/background.ts').catch(() => {}), 1500))
