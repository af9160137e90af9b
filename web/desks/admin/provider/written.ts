import { plain } from '../../../parts/forms/form/changed-meanwhile.tsx'
import { claimNames, type Values } from '../sign-in/data.ts'
import { nameOfGroup } from './groups.tsx'
import { t } from './texts.ts'

/** Each field that is not a plain text, as people read it. */
const readable: { [Field in keyof Values]?: (value: Values[Field]) => string } = {
  claims: (claims) => claimNames.flatMap((name) => (claims[name] ? `${t.claimNames[name]}: ${claims[name]}` : [])).join(' · '),
  require: (all) => all.map(({ claim, anyOf, typed }) => `${claim}: ${typed ?? anyOf.join(', ')}`).join(' · '),
  groupRules: (all) => all.map(({ value, groupId }) => `${value}: ${nameOfGroup(groupId)}`).join(' · '),
  clientAuth: (value) => t.clientAuths[value],
  linking: (value) => t.linkings[value],
  groupMode: (value) => t.groupModes[value],
  secondFactor: (value) => t.secondFactors[value],
  logout: (value) => t.logouts[value],
  logoutHint: (value) => t.logoutHintsOf[value],
}

/** A value of a field as the panel of conflicts shows it. */
export const writtenOf = <Field extends keyof Values>(field: Field, value: unknown) =>
  readable[field]?.(value as Values[Field]) ?? plain(value)
