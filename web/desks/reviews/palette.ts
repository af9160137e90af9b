import { definePalette } from '../../frame/palette.ts'
import { mine, titleOf } from './data.ts'
import { both, t } from './texts.ts'

/** The open reviews in which the person judges. */
export default definePalette({
  find: async () =>
    (await mine.load()).items.map((review) => ({
      id: `review ${review.id}`,
      group: 'pages',
      text: titleOf(review),
      words: [review.titleAr, review.titleEn, both.ar.review, both.en.review],
      kind: t.review,
      icon: 'circle-check',
      path: `/reviews/${review.id}`,
    })),
})
