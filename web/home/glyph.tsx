import { pictureAt } from '../parts/avatar.tsx'
import { Icon } from '../parts/icon.tsx'
import { icons } from '../parts/icons.ts'
import { appIcons, formerNames } from './app-icons.ts'

const all: Record<string, string> = { ...icons, ...appIcons }

/** An app's own picture, or its icon on its colour. */
export function Glyph({ app, size = 26 }: { app: { iconName: string; imageUrl: string | null }; size?: number }) {
  if (app.imageUrl) return <img src={pictureAt(app.imageUrl)} alt="" width={56} height={56} />
  const path = all[formerNames[app.iconName] ?? app.iconName]
  if (!path) return <Icon name="layout-grid" size={size} />
  return (
    <svg class="icon" width={size} height={size} viewBox="0 0 24 24" aria-hidden="true">
      <path d={path} />
    </svg>
  )
}
