import { texts } from '../../platform/language.ts'

const ar = {
  choose: 'اختر صورة',
  change: 'غيّر الصورة',
  remove: 'أزل الصورة',
  cancel: 'أوقف الرفع',
  uploading: (percent: string) => `رُفع ${percent}`,
  noPicture: 'هذا الملف ليس صورة يمكن عرضها. اختر صورة من نوع PNG أو JPEG أو WebP.',
  tooLarge: (most: string) => `هذا الملف أكبر من ${most} ميغابايت.`,
}

const en: typeof ar = {
  choose: 'Choose picture',
  change: 'Change picture',
  remove: 'Remove',
  cancel: 'Stop uploading',
  uploading: (percent) => `${percent} uploaded`,
  noPicture: 'This file can’t be used as a picture. Choose a PNG, JPEG or WebP.',
  tooLarge: (most) => `This file is larger than ${most} MB.`,
}

export const both = { ar, en }
export const t = texts(both)
