/** A plugin for Vite that makes one sprite of all icons, and lists the icons that an app may have. */
import type { Plugin } from 'vite'
import { appIcons } from '../parts/show/app-icons.ts'
import { icons } from '../parts/show/icons.ts'

const all: Record<string, string> = { ...icons, ...appIcons }

const sprite = `<svg xmlns="http://www.w3.org/2000/svg">${Object.entries(all)
  .map(([name, path]) => `<symbol id="${name}" viewBox="0 0 24 24"><path d="${path}"/></symbol>`)
  .join('')}</svg>`

export function iconSprite(): Plugin {
  return {
    name: 'icon-sprite',
    resolveId: (id) => (id.startsWith('virtual:') ? `\0${id}` : undefined),
    load(id) {
      if (id === '\0virtual:app-icon-names') return `export default ${JSON.stringify(Object.keys(all))}`
      if (id !== '\0virtual:icons') return undefined
      const file = this.emitFile({ type: 'asset', name: 'icons.svg', source: sprite })
      return `export default import.meta.ROLLUP_FILE_URL_${file}`
    },
  }
}
