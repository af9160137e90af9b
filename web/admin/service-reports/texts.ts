import { texts } from '../../platform/language.ts'

const ar = {
  title: 'تقارير الخدمات',
  purpose: 'كم طُلب وكم أُنجز في موعده. لا يغيّر حذفُ طلبٍ رقمًا منها.',
  team: 'الفريق',
  allTeams: 'كل الفرق',
}

const en: typeof ar = {
  title: 'Service reports',
  purpose: 'How much was ordered, and how much was done in time. Deleting an order changes no figure.',
  team: 'Team',
  allTeams: 'All teams',
}

export const t = texts({ ar, en })
