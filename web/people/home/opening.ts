import { at } from '../../platform/router.ts'
import { type App, noteOpening } from './data.ts'

/** The attributes of a link that opens an app: in the portal, in a new tab or in a frame. Each opening is recorded. */
export function opening(app: App) {
  const onClick = () => noteOpening(app)
  if (app.openMode === 'external_tab' && app.externalUrl)
    return { href: app.externalUrl, target: '_blank', rel: 'noopener noreferrer', onClick, onAuxClick: onClick }
  if (app.openMode === 'external_iframe') return { href: at(`/apps/${encodeURIComponent(app.slug)}`), onClick }
  return { href: at(app.route), onClick }
}
