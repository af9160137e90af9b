import { texts } from '../../../platform/language.ts'

const ar = { waiting: 'بانتظار ردّ', message: 'رسالة', unread: 'رسالة جديدة' }
const en: typeof ar = { waiting: 'Waiting for an answer', message: 'Message', unread: 'New message' }

export const both = { ar, en }
export const t = texts(both)
