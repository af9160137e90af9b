import { definePalette, type Finding } from '../../frame/palette.ts'
import { folded } from '../../platform/folded.ts'
import { inLanguage, named } from '../../platform/language.ts'
import { catalogue, entryOf, type Service, services } from './data.ts'
import { iconOf } from './icons.ts'
import { both, t } from './texts.ts'

/** Everything that finds a service: "order coffee" and "اطلب قهوة" as well as its name. */
const wordsOf = ({ nameAr, nameEn, descriptionAr, descriptionEn }: Service) =>
  folded([both.ar.words, both.en.words, nameAr, nameEn, descriptionAr, descriptionEn].join(' '))

const proposed = (all: Service[], typed: string): Finding[] => {
  const wanted = typed.split(/\s+/).filter(Boolean)
  return all
    .filter((service) => entryOf(service).canOrder && wanted.every((word) => wordsOf(service).includes(word)))
    .map((service) => ({
      id: `service ${service.id}`,
      group: 'services',
      text: t.orderOf(named(service)),
      kind: inLanguage(service.descriptionAr, service.descriptionEn),
      icon: iconOf(service),
      path: `/services?order=${service.id}`,
      isTyped: true,
    }))
}

export default definePalette({
  isExact: true,
  find(typed) {
    const known = catalogue.peek() && services.peek()
    if (known) return proposed(known, typed)
    // Load the services only once something is typed.
    return typed ? Promise.all([services.load(), catalogue.load()]).then(([all]) => proposed(all, typed)) : []
  },
})
