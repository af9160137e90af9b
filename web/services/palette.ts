import { definePalette } from '../frame/palette.ts'
import { folded } from '../platform/folded.ts'
import { inLanguage, named } from '../platform/language.ts'
import { type Service, services } from './data.ts'
import { both, t } from './texts.ts'

/** Everything a service is found by: "order coffee" and "اطلب قهوة" as well as its name. */
const wordsOf = ({ nameAr, nameEn, descriptionAr, descriptionEn }: Service) =>
  folded([both.ar.words, both.en.words, nameAr, nameEn, descriptionAr, descriptionEn].join(' '))

export default definePalette({
  isExact: true,
  async find(typed) {
    const wanted = typed.split(/\s+/).filter(Boolean)
    if (wanted.length === 0) return []
    const all = await services.load().catch(() => [])
    return all
      .filter((service) => service.isAvailable && wanted.every((word) => wordsOf(service).includes(word)))
      .map((service) => ({
        id: `service ${service.id}`,
        text: t.orderOf(named(service)),
        kind: inLanguage(service.descriptionAr, service.descriptionEn) || t.kind,
        icon: 'coffee',
        path: `/services?order=${service.id}`,
      }))
  },
})
