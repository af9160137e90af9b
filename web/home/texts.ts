import { texts } from '../platform/language.ts'

const ar = {
  title: 'الرئيسية',
  greeting: (name: string) => `أهلًا ${name}`,
  apps: 'تطبيقاتي',
}

const en: typeof ar = {
  title: 'Home',
  greeting: (name) => `Welcome, ${name}`,
  apps: 'My apps',
}

export const t = texts({ ar, en })
