import { texts } from '../../../platform/language.ts'

const ar = {
  attach: 'أرفق ملفًا',
  attached: 'الملفات المرفقة',
  remove: (name: string) => `أزل ${name}`,
  stop: (name: string) => `أوقف رفع ${name}`,
  sent: (percent: string) => `رُفع ${percent}`,
  uploading: 'ما زال الملف يُرفع. انتظر حتى يكتمل، أو أوقفه.',
  tooMany: (most: string) => `العدد الأقصى ${most}.`,
}

const en: typeof ar = {
  attach: 'Attach a file',
  attached: 'Attached files',
  remove: (name) => `Remove ${name}`,
  stop: (name) => `Stop uploading ${name}`,
  sent: (percent) => `${percent} uploaded`,
  uploading: 'A file is still being uploaded. Wait for it, or stop it.',
  tooMany: (most) => `There can be ${most} at most.`,
}

export const both = { ar, en }
export const t = texts(both)
