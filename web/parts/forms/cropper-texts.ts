import { texts } from '../../platform/language.ts'

const ar = {
  crop: 'اضبط الصورة',
  cropArea: 'الجزء الظاهر من الصورة',
  cropHint: 'اسحب الصورة لتحريكها، أو حرّكها بمفاتيح الأسهم.',
  zoom: 'التكبير',
  usePicture: 'استخدم الصورة',
  cancel: 'إلغاء',
}

const en: typeof ar = {
  crop: 'Adjust picture',
  cropArea: 'Visible part of the picture',
  cropHint: 'Drag the picture to move it, or use the arrow keys.',
  zoom: 'Zoom',
  usePicture: 'Use picture',
  cancel: 'Cancel',
}

export const both = { ar, en }

export const t = texts(both)
