import { longDay, shortDay } from '../../../platform/dates.ts'
import { inLanguage, isolated, nameOf as nameOfPerson } from '../../../platform/language.ts'
import { at } from '../../../platform/router.ts'
import { isAdmin, isExecutive } from '../../../platform/session.ts'
import { differencesOf, type Entry, endGiven, type Named, nameThen, otherOf, subjectOf } from './entries.ts'
import { beforeNumber, isKnown, sentences } from './sentences.ts'
import { t } from './texts.ts'
import { nameOfType } from './written.ts'

export const recordTypes = () => Object.entries(t.types)

const ofAdmins: Record<string, string> = {
  user: 'users',
  group: 'groups',
  role: 'roles',
  permission: 'permissions',
  app: 'apps',
  service: 'services',
  service_account: 'service-accounts',
}
const ofExecutives: Record<string, string> = { meeting: '', meeting_request: 'requests/', meeting_task: 'tasks/' }

/** The start of the addresses of a type’s records, such as `/admin/users/`; undefined if the person cannot open such records. */
function placeOf(type: string) {
  if (ofAdmins[type]) return isAdmin.value ? `/admin/${ofAdmins[type]}/` : undefined
  return isExecutive.value && type in ofExecutives ? `/meetings/${ofExecutives[type]}` : undefined
}
const isDay = (name: string) => /^\d{4}-\d\d-\d\d$/.test(name)

/** The name of a record in an entry, as a link if the record may still exist. */
export function RecordName({ of, entry }: { of: Named; entry: Entry }) {
  const then = nameThen(entry, of)
  const written = then && inLanguage(then.ar, then.en)
  const name = written && isDay(written) ? longDay(written, 'UTC') : written
  const type = nameOfType(of.type)
  const shown = name ? <bdi>{name}</bdi> : of.id === undefined ? type : t.numbered(type, of.id)
  // A record without a name no longer exists.
  const place = name && placeOf(of.type)
  return place && of.id && !of.isGone ? <a href={at(`${place}${of.id}`)}>{shown}</a> : shown
}

/** The sentence of an action. A change of only `isActive` of a person has its own sentence. */
function sentenceOf(entry: Entry) {
  const [only, ...more] = differencesOf(entry)
  if (entry.action === 'user.update' && only?.field === 'isActive' && more.length === 0 && 'to' in only)
    return only.to ? t.enabled : t.disabled
  return isKnown(entry.action) ? sentences[entry.action] : entry.action
}

/** An entry as a sentence: who did what to which record. */
export function Sentence({ entry }: { entry: Entry }) {
  const records: { [placeholder: string]: Named | undefined } = { '{it}': subjectOf(entry), '{other}': otherOf(entry) }
  const end = endGiven(entry)
  return (
    <>
      <strong>{entry.actor ? isolated(nameOfPerson(entry.actor)) : t.portal}</strong>
      {t.says}
      {sentenceOf(entry)
        .split(/(\{\w+\})/)
        .map((part, index, parts) => {
          const [of, next] = [records[part], records[parts[index + 1] ?? '']]
          if (of) return <RecordName key={index} of={of} entry={entry} />
          return next && !nameThen(entry, next) ? beforeNumber(part, nameOfType(next.type)) : part
        })}
      {end && t.until(shortDay(end))}
    </>
  )
}
