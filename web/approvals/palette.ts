import { definePalette } from '../frame/palette.ts'
import { waitingOf } from './data.ts'
import { both, t } from './texts.ts'

/** The page, for people for whose approval something waits. */
export default definePalette({
  async find(typed) {
    const list = waitingOf(0)
    const known = list.peek() ?? (typed ? await list.load() : undefined)
    if (!known?.totalCount) return []
    return [
      {
        id: 'page /approvals',
        group: 'pages',
        text: t.title,
        words: [both.ar.title, both.en.title],
        kind: t.waiting(known.totalCount),
        icon: 'circle-check',
        path: '/approvals',
      },
    ]
  },
})
