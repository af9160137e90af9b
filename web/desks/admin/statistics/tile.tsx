import { appIcon } from '../../../parts/show/glyph.tsx'
import { Icon } from '../../../parts/show/icon.tsx'

/** The icon of an app on its colour, as small as an avatar. */
export const AppTile = ({ app }: { app: { iconName: string; color: string } }) => (
  <span class="stats-tile" style={{ '--color': app.color }} aria-hidden="true">
    <Icon name={appIcon(app.iconName)} size={16} />
  </span>
)
