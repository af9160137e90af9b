import { texts } from '../../platform/language.ts'

const ar = {
  move: (name: string) => `حرّك ${name}`,
  moveHelp: 'اضغط مفتاح المسافة لترفعه، ثم حرّكه بالأسهم، ثم المسافة لتضعه أو Escape لتعيده.',
  lifted: (name: string, at: number, of: number) => `رُفع ${name}، الموضع ${at} من ${of}.`,
  moved: (name: string, at: number, of: number) => `${name} في الموضع ${at} من ${of}.`,
  dropped: (name: string, at: number) => `وُضع ${name} في الموضع ${at}.`,
  notMoved: (name: string) => `عاد ${name} إلى موضعه.`,
}

const en: typeof ar = {
  move: (name) => `Move ${name}`,
  moveHelp: 'Press Space to lift it, move it with the arrows, and press Space to put it down or Escape to put it back.',
  lifted: (name, at, of) => `${name} lifted, place ${at} of ${of}.`,
  moved: (name, at, of) => `${name} is at place ${at} of ${of}.`,
  dropped: (name, at) => `${name} is put down at place ${at}.`,
  notMoved: (name) => `${name} is back at its place.`,
}

export const both = { ar, en }
export const t = texts(both)
