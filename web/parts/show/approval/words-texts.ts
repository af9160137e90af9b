import { texts } from '../../../platform/language.ts'

const ar = {
  states: { waiting: 'بانتظار الموافقة', denied: 'رُفض', lapsed: 'انتهى دون موافقة' },
  waitsFor: (people: string) => `بانتظار ${people}`,
  waitsForAdmins: 'بانتظار المديرين',
  more: (count: string) => `${count} غيرهم`,
}
const en: typeof ar = {
  states: { waiting: 'Waiting for approval', denied: 'Denied', lapsed: 'Ended without an approval' },
  waitsFor: (people) => `Waiting for ${people}`,
  waitsForAdmins: 'Waiting for the administrators',
  more: (count) => `${count} more`,
}

export const both = { ar, en }
export const t = texts(both)
