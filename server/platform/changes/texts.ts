/** Updates that change only names, looks or order affect nobody's access, so they do not wait for changes of access. */

/** A kind of update. `texts` lists its fields that affect nobody's access. */
interface WithTexts {
  texts?: readonly string[]
}

/** Whether an update of these fields may change who may do what. */
export const concernsAccess = ({ texts = [] }: WithTexts, fields: object) =>
  Object.entries(fields).some(([field, value]) => value !== undefined && !texts.includes(field))

/** The option `locks` of an update: `texts` if only texts change, otherwise `access`. */
export const accessUnlessTexts = (kind: WithTexts) => ({
  when: ({ body }: { body: object }) => (concernsAccess(kind, body) ? 'access' : 'texts'),
})
