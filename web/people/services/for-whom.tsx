import { useRef } from 'preact/hooks'
import { IdsField } from '../../parts/forms/ids-field.tsx'
import { PersonLine } from '../../parts/show/lines.tsx'
import { Segments } from '../../parts/show/segments.tsx'
import { answer, api, type Schemas } from '../../platform/client.ts'
import { nameOf } from '../../platform/language.ts'
import { entryOf, type Service } from './data.ts'
import { t } from './for-whom-texts.ts'
import type { Whom } from './whom.ts'

type Person = Schemas['PersonSummary']

interface ForWhomProps {
  service: Service
  whom: Whom
  change: (whom: Whom) => void
  error: 'missing' | 'beneficiary' | 'no_approver' | 'forbidden' | undefined
}

/** For whom a service is ordered: the person themselves, or somebody else. */
export function ForWhom({ service, whom, change, error }: ForWhomProps) {
  const { isForOthers } = entryOf(service)
  const found = useRef(new Map<number, Person>())
  const person = whom?.person
  return (
    <div class="services-whom" data-field="forUserId" data-wrong={error ? true : undefined}>
      {!isForOthers && (
        <Segments
          label={t.forWhom}
          of={[
            ['me', t.forMe],
            ['other', t.forOther],
          ]}
          value={whom ? 'other' : 'me'}
          choose={(value) => change(value === 'me' ? null : { person: null })}
        />
      )}
      {whom && (
        <IdsField<Person>
          label={t.person}
          hint={t.hint}
          error={error && t.wrong[error]}
          addLabel={t.find}
          ids={person ? [person.id] : []}
          most={1}
          of={() => person ?? undefined}
          name={nameOf}
          find={async (typed) => {
            const q = typed.trim().slice(0, 200)
            const people = await answer(
              api.GET('/services/{id}/people', { params: { path: { id: service.id }, query: { limit: 20, ...(q && { q }) } } }),
            )
            for (const one of people) found.current.set(one.id, one)
            return people
          }}
          change={([id]) => change({ person: (id !== undefined && found.current.get(id)) || null })}
        >
          {(one) => <PersonLine person={one} size={28} />}
        </IdsField>
      )}
    </div>
  )
}
