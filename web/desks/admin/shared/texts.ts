import { formatNumber, texts } from '../../../platform/language.ts'

const ar = {
  portal: 'البوابة',
  acts: 'خيارات أخرى',
  others: (count: number) => `${formatNumber(count)} غيرها`,
  final: 'لا يمكن التراجع عن هذا.',
  instead: 'أو بدلًا من الحذف',
  cancel: 'إلغاء',
  typeName: (name: string) => `اكتب «${name}» لتأكيد الحذف`,
  audited: 'فتح هذه القائمة يُسجَّل في سجل التدقيق.',
  openList: 'افتح القائمة',
  source: 'المصدر:',
}

const en: typeof ar = {
  portal: 'The portal',
  acts: 'More actions',
  others: (count) => `${formatNumber(count)} more`,
  final: 'This can’t be undone.',
  instead: 'Instead of deleting',
  cancel: 'Cancel',
  typeName: (name) => `Type “${name}” to confirm`,
  audited: 'Opening this list is recorded in the audit log.',
  openList: 'Open the list',
  source: 'Source:',
}

export const both = { ar, en }
export const t = texts(both)
