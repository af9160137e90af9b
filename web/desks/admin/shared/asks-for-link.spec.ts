import assert from 'node:assert/strict'
import { test } from 'node:test'
import { templates } from '../../../../server/lists/notices/notices.ts'
import { asksForLink } from './asks-for-link.ts'

test('only the notice of a forgotten password asks for a link, and only while the person exists', () => {
  const asking = Object.entries(templates).filter(([, { titleEn }]) => asksForLink({ titleEn, relatedId: 7 }))
  assert.deepEqual(
    asking.map(([name]) => name),
    ['reset_asked'],
  )
  assert.equal(asksForLink({ titleEn: templates.reset_asked.titleEn, relatedId: null }), false)
})
