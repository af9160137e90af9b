import { texts } from '../../platform/language.ts'

const ar = { without: (name: string) => `أزل ${name}` }
const en: typeof ar = { without: (name) => `Remove ${name}` }

export const both = { ar, en }
export const t = texts(both)
