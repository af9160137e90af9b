/** The directional icons, which are mirrored on a right-to-left page. */
export const mirrored: ReadonlySet<string> = new Set([
  'chevron-right',
  'arrow-right',
  'arrow-left',
  'log-out',
  'log-in',
  'send',
  'reply',
  'undo-2',
  'external-link',
  'list',
  'clipboard-list',
])
