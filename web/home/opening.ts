import { at } from '../platform/router.ts'
import { type App, noteOpening } from './data.ts'

/** How a link opens an app: within the portal, in a tab of its own, or framed; each opening is noted. */
export function opening(app: App) {
  const onClick = () => noteOpening(app)
  if (app.openMode === 'external_tab' && app.externalUrl)
    return { href: app.externalUrl, target: '_blank', rel: 'noopener noreferrer', onClick, onAuxClick: onClick }
  if (app.openMode === 'external_iframe') return { href: at(`/apps/${encodeURIComponent(app.slug)}`), onClick }
  return { href: at(app.route), onClick }
}
