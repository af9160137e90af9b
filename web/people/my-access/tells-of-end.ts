import type { Schemas } from '../../platform/client.ts'

/**
 * Whether a notice about a group or role tells the reader of the end of their own grant. Administrators also get other notices about
 * groups; only the titles differ.
 */
export const tellsOfEnd = ({ titleEn }: Pick<Schemas['Notification'], 'titleEn'>) => /end(s soon|ed)$/.test(titleEn)
