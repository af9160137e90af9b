import appIconNames from 'virtual:app-icon-names'
import { pictureAt } from './avatar.tsx'
import { Icon, type IconName } from './icon.tsx'

/** Names that Lucide has dropped, with their successors. */
const formerNames: Record<string, IconName> = {
  'bar-chart': 'chart-bar',
  'pie-chart': 'chart-pie',
  'check-square': 'square-check',
  trello: 'square-kanban',
}
const known = new Set(appIconNames)

/** The icon of an app; `layout-grid` for an unknown name. */
export const appIcon = (name: string): IconName => formerNames[name] ?? (known.has(name) ? (name as IconName) : 'layout-grid')

/** An app's own picture, or its icon. */
export function Glyph({ app, size = 26 }: { app: { iconName: string; imageUrl: string | null }; size?: number }) {
  return app.imageUrl ? (
    <img src={pictureAt(app.imageUrl)} alt="" width={56} height={56} />
  ) : (
    <Icon name={appIcon(app.iconName)} size={size} />
  )
}
