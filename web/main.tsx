import './styles/main.css'
import { render } from 'preact'
import { preload } from './frame/room.tsx'
import { Shell } from './frame/shell.tsx'
import { path, startRouting } from './platform/router.ts'
import { startSession } from './platform/session.ts'

startRouting()
preload(path.value)
startSession().then(() => render(<Shell />, document.getElementById('root')!))
