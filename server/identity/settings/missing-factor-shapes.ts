import { Type } from 'typebox'
import { Named, PageOf, pageQuery, Shape, Timestamp } from '../../platform/http/shape.ts'
import { PersonSummary } from '../../users/shapes.ts'

export const WithoutFactorQuery = Shape({
  ...pageQuery(50),
  roleIds: Type.String({
    pattern: '^[1-9][0-9]{0,9}(,[1-9][0-9]{0,9}){0,199}$',
    form: 'ids',
    description: 'At most 200 ids, joined by commas; unknown ids are ignored.',
    examples: ['1,4'],
  }),
  graceDays: Type.Integer({ minimum: 0, maximum: 90 }),
})
export const WithoutFactorPage = Named(
  'PeopleWithoutFactor',
  PageOf('items', Named('PersonWithoutFactor', Shape({ person: PersonSummary, until: Timestamp }))),
)
