/** The first steps of an empty portal, and the rules by which each is done. */
export const steps = ['name', 'app', 'service', 'group', 'people'] as const
export type Step = (typeof steps)[number]

export interface Known {
  siteNameAr: string
  siteNameEn: string
  apps: number
  services: number
  /** Groups that the portal did not create itself. */
  groups: number
  people: number
}

/** The default name of the portal. */
const UNNAMED = { ar: 'بوابة', en: 'Bawaba' }

export const isDone = (step: Step, { siteNameAr, siteNameEn, apps, services, groups, people }: Known) =>
  ({
    name: siteNameAr !== UNNAMED.ar || siteNameEn !== UNNAMED.en,
    app: apps >= 1,
    service: services >= 1,
    group: groups >= 1,
    people: people >= 2,
  })[step]
