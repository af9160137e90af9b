/** Notices by mail, beside those in the portal. */
import type { Notice } from '../changes/change-kind.ts'
import type { Config } from '../config.ts'
import type { Tx } from '../database/db.ts'
import { addJob } from './runner.ts'

/** Tries are spread over little more than an hour, the lifetime of a link. */
export const MAIL_TRIES = 9

/** Mails a notice to a person as well, where mail is set up. */
export async function mailNotice(
  tx: Tx,
  { smtpUrl }: Pick<Config, 'smtpUrl'>,
  userId: number,
  { template, params }: Pick<Notice, 'template' | 'params'>,
) {
  if (smtpUrl) await addJob(tx, 'mail_notice', { userId, template, params }, { tries: MAIL_TRIES })
}
