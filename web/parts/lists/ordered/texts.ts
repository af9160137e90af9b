import { formatNumber, texts } from '../../../platform/language.ts'

const ar = {
  move: (name: string) => `حرّك ${name}`,
  moveHelp: 'اضغط مفتاح المسافة لترفعه، ثم حرّكه بالأسهم، ثم المسافة لتضعه أو Escape لتعيده.',
  lifted: (name: string, at: number, of: number) => `رُفع ${name}، الموضع ${formatNumber(at)} من ${formatNumber(of)}.`,
  moved: (name: string, at: number, of: number) => `${name} في الموضع ${formatNumber(at)} من ${formatNumber(of)}.`,
  dropped: (name: string, at: number) => `وُضع ${name} في الموضع ${formatNumber(at)}.`,
  notMoved: (name: string) => `عاد ${name} إلى موضعه.`,
}

const en: typeof ar = {
  move: (name) => `Move ${name}`,
  moveHelp: 'Press Space to lift it, move it with the arrows, and press Space to put it down or Escape to put it back.',
  lifted: (name, at, of) => `${name} lifted, place ${formatNumber(at)} of ${formatNumber(of)}.`,
  moved: (name, at, of) => `${name} is at place ${formatNumber(at)} of ${formatNumber(of)}.`,
  dropped: (name, at) => `${name} is put down at place ${formatNumber(at)}.`,
  notMoved: (name) => `${name} is back at its place.`,
}

export const both = { ar, en }
export const t = texts(both)
