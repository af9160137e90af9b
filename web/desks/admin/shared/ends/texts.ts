import { countedAr, countedEn, texts } from '../../../../platform/language.ts'

const ar = {
  /** Texts of refusals. The portal's own texts do not fit here, because they mention only renaming and deleting. */
  refused: {
    last_admin: 'لا بد أن يبقى مدير مفعّل واحد على الأقل بلا نهاية. اجعل شخصًا آخر مديرًا بلا نهاية أولًا.',
    system_group: 'العضوية في مجموعات البوابة نفسها لا تنتهي بموعد.',
    system_role: 'هذا الدور لكل حساب، فلا ينتهي بموعد.',
  },
  until: (names: string, day: string) => `${names} حتى ${day}`,
  /** Sentences about the ends of memberships (`group`) and of roles. */
  moved: {
    group: {
      changed: (by: string, name: string, from: string, to: string) => `${by}: انتقلت نهاية عضوية ${name} من ${from} إلى ${to}`,
      given: (by: string, name: string, to: string) => `${by}: صارت عضوية ${name} تنتهي في ${to}`,
      taken: (by: string, name: string, from: string) => `${by}: أُلغيت نهاية عضوية ${name}، وكانت في ${from}`,
      over: (by: string, names: string) => `${by}: انتهت عضوية ${names} بانقضاء مدتها`,
    },
    role: {
      changed: (by: string, name: string, from: string, to: string) => `${by}: انتقلت نهاية دور ${name} من ${from} إلى ${to}`,
      given: (by: string, name: string, to: string) => `${by}: صار دور ${name} ينتهي في ${to}`,
      taken: (by: string, name: string, from: string) => `${by}: أُلغيت نهاية دور ${name}، وكانت في ${from}`,
      over: (by: string, names: string) => `${by}: انتهى دور ${names} بانقضاء مدته`,
    },
  },
  people: countedAr({ zero: 'لا أحد', one: 'شخص', two: 'شخصين', few: '# أشخاص', many: '# شخصًا', other: '# شخص' }),
  ends: (who: string, day: string) => `ينتهي ذلك لـ${who} بنهاية ${day}.`,
  endless: (who: string) => `لم تعد لذلك نهاية لـ${who}.`,
  endsItself: (what: string, day: string) => `ينتهي ${what} بنهاية ${day}.`,
  endlessItself: (what: string) => `لم تعد لـ${what} نهاية.`,
}

const en: typeof ar = {
  refused: {
    last_admin: 'At least one active administrator must be one without an end. Make someone else an administrator without an end first.',
    system_group: 'Membership of the portal’s own groups can’t end at a date.',
    system_role: 'Every account has this role, so it can’t end at a date.',
  },
  until: (names, day) => `${names} until ${day}`,
  moved: {
    group: {
      changed: (by, name, from, to) => `${by} moved the end of the membership of ${name} from ${from} to ${to}`,
      given: (by, name, to) => `${by} set the membership of ${name} to end on ${to}`,
      taken: (by, name, from) => `${by} removed the end of the membership of ${name}, which was ${from}`,
      over: (by, names) => `${by} ended the membership of ${names}, whose time was over`,
    },
    role: {
      changed: (by, name, from, to) => `${by} moved the end of the role ${name} from ${from} to ${to}`,
      given: (by, name, to) => `${by} set the role ${name} to end on ${to}`,
      taken: (by, name, from) => `${by} removed the end of the role ${name}, which was ${from}`,
      over: (by, names) => `${by} ended the role ${names}, whose time was over`,
    },
  },
  people: countedEn({ zero: 'nobody', one: '# person', other: '# people' }),
  ends: (who, day) => `For ${who} it ends after ${day}.`,
  endless: (who) => `For ${who} it no longer ends.`,
  endsItself: (what, day) => `${what} ends after ${day}.`,
  endlessItself: (what) => `${what} no longer ends.`,
}

export const both = { ar, en }
export const t = texts(both)
