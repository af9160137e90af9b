import { definePalette } from '../../frame/palette.ts'
import { approvalCount } from '../../parts/show/approval/own.ts'
import { toApprove } from '../../platform/session.ts'
import { both, t } from './texts.ts'

/** Finds the page of approvals for people who have something to approve. */
export default definePalette({
  async find(typed) {
    const known = toApprove.peek() ?? (typed ? await toApprove.load() : undefined)
    if (!known?.totalCount) return []
    return [
      {
        id: 'page /approvals',
        group: 'pages',
        text: t.title,
        words: [both.ar.title, both.en.title],
        kind: t.waiting(approvalCount()),
        icon: 'circle-check',
        path: '/approvals',
      },
    ]
  },
})
