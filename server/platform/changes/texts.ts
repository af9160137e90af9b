/** Changes of names, looks and order, which decide on nobody's access: they wait for no change of access. */

/** A kind of update, with the fields that are texts. */
interface WithTexts {
  texts?: readonly string[]
}

/** Whether an update of these fields may change who may do what. */
export const concernsAccess = ({ texts = [] }: WithTexts, fields: object) =>
  Object.entries(fields).some(([field, value]) => value !== undefined && !texts.includes(field))

/** The option `locks` of an update: no lock of access if only texts change. */
export const accessUnlessTexts = (kind: WithTexts) => ({
  when: ({ body }: { body: object }) => (concernsAccess(kind, body) ? 'access' : 'texts'),
})
