/** Changes of names, looks and order, which decide on nobody's access: they wait for no change of access. */

/** A kind of update, with the fields that are texts. */
interface WithTexts {
  texts?: readonly string[]
}

/** Whether an update of these fields may change who may do what. */
export const concernsAccess = ({ texts = [] }: WithTexts, fields: object) =>
  Object.entries(fields).some(([field, value]) => value !== undefined && !texts.includes(field))

/** For the option `locks` of a command whose body has the fields of a kind of update. */
export const accessUnlessTexts = (kind: WithTexts) => ({
  when: ({ body }: { body: object }) => (concernsAccess(kind, body) ? 'access' : 'texts'),
})
