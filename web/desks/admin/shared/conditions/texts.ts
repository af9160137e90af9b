import { texts } from '../../../../platform/language.ts'

const ar = {
  unnamed: 'حقل بلا عنوان',
  option: (at: string) => `الخيار ${at}`,
  optional: 'اختياري',
  noNumber: 'اكتب رقمًا.',
  addCondition: 'أضف شرطًا',
  andIf: 'وكان',
  fieldRead: 'الحقل المشروط عليه',
  comparison: 'المقارنة',
  value: 'القيمة',
  ops: { any: 'أحد هذه', none: 'ليس أيًّا من هذه', atLeast: 'لا يقل عن', atMost: 'لا يزيد على' },
  comma: '، ',
  yes: 'نعم',
  no: 'لا',
  isYes: 'هو',
  isNotYes: 'ليس',
  removeCondition: 'أزل الشرط',
}

const en: typeof ar = {
  unnamed: 'Field without a label',
  option: (at) => `Option ${at}`,
  optional: 'optional',
  noNumber: 'Type a number.',
  addCondition: 'Add a condition',
  andIf: 'and if',
  fieldRead: 'Field of the condition',
  comparison: 'Comparison',
  value: 'Value',
  ops: { any: 'is one of', none: 'is none of', atLeast: 'is at least', atMost: 'is at most' },
  comma: ', ',
  yes: 'Yes',
  no: 'No',
  isYes: 'is',
  isNotYes: 'is not',
  removeCondition: 'Remove the condition',
}

export const both = { ar, en }
export const t = texts(both)
