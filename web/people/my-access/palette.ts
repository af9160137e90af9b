import { definePalette, type Finding } from '../../frame/palette.ts'
import { titleOf } from '../../parts/show/title.ts'
import { answer, api } from '../../platform/client.ts'
import { isolated, named } from '../../platform/language.ts'
import { reviewOf } from './data.ts'
import { both, t } from './texts.ts'

const MOST = 6

const page = (path: string, name: 'title' | 'asked' | 'review', icon: Finding['icon'], isTyped: boolean): Finding => ({
  id: `page ${path}`,
  group: 'pages',
  text: t[name],
  words: [both.ar[name], both.en[name], both.ar.title, both.en.title],
  ...(icon && { icon }),
  path,
  isTyped,
})

export default definePalette(
  {
    find: () => [
      {
        id: 'access ask',
        group: 'acts',
        text: t.offers,
        words: [both.ar.offers, both.en.offers, both.ar.title, both.en.title],
        icon: 'key-round',
        path: '/access/offers',
      },
      page('/access', 'title', 'key-round', false),
      page('/access/requests', 'asked', 'clipboard-list', true),
    ],
  },
  {
    // Finds the page only for people who have requests to decide.
    async find(typed) {
      const review = reviewOf(0)
      const known = review.peek() ?? (typed ? await review.load() : undefined)
      return known?.totalCount ? [page('/access/review', 'review', 'inbox', false)] : []
    },
  },
  {
    isExact: true,
    isRemote: true,
    async find(typed) {
      if (typed.length < 2) return []
      const { items } = await answer(api.GET('/access-requests/offers', { params: { query: { q: typed.slice(0, 200), limit: MOST } } }))
      return items
        .filter(({ state }) => state === 'open')
        .map((offer) => ({
          id: `offer ${offer.groupId}`,
          group: 'acts',
          text: t.askNamed(isolated(titleOf(offer))),
          kind: offer.apps.map(named).join(', '),
          icon: 'key-round',
          path: `/access/offers?ask=${offer.groupId}`,
        }))
    },
  },
)
