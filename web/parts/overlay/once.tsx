import { Dialog, type DialogProps } from './dialog.tsx'
import { t } from './once-texts.ts'

/**
 * A dialog with something that the portal shows only once, such as a token or a link. Its own buttons close it at once. Escape, the cross,
 * a press outside, the command palette and the browser's ways to leave first ask the person, unless `isKept`.
 */
export const Once = ({ isKept, ...rest }: Omit<DialogProps, 'isUnsaved' | 'lost'> & { isKept?: boolean }) => (
  <Dialog {...rest} {...(!isKept && { isUnsaved: () => true, lost: t })} />
)
