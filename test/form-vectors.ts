/** Answers to forms, each with its judgement: server and pages judge them alike. */
import type { AnswerRule, Answers, Condition, Facts, FormField } from '../server/work/service-forms/rules.ts'
import { type Expected, facts, field, one, type Table, tables } from './form-answers.ts'
import { generator } from './suite.ts'

export interface Vector {
  name: string
  fields: FormField[]
  given: Record<string, unknown>
  facts: Facts
  /** The broken rule of each invalid answer, by the key of its field. */
  errors: Record<string, AnswerRule>
  /** The stored answers; absent where an answer breaks a rule. */
  answers?: Answers
  /** The keys of hidden fields. */
  hidden: string[]
}

const told = (given: unknown) => (JSON.stringify(given) ?? String(given)).slice(0, 40)
function fromTable([title, kind, more, known, lines]: Table): Vector[] {
  const build = (name: string, required: boolean, given: unknown, expected: Expected): Vector => {
    const missing = required && expected === 'nothing' && kind !== 'info'
    const rule = missing ? 'required' : typeof expected === 'object' && 'rule' in expected && expected.rule
    return {
      name,
      fields: [field('it', kind, { ...more, ...(required && { required }) })],
      given: { it: given, unknown: 'left out' },
      facts: { ...facts, ...known },
      errors: rule ? { it: rule } : {},
      ...(!rule && { answers: typeof expected === 'object' && 'stored' in expected ? { it: expected.stored } : {} }),
      hidden: [],
    }
  }
  const none =
    kind === 'info' || more.mustBeYes
      ? []
      : [null, undefined].flatMap((given) => [
          build(`${title}: none`, false, given, 'nothing'),
          build(`required ${title}: none`, true, given, 'nothing'),
        ])
  return [
    ...none,
    ...lines.flatMap(([given, expected]) => [
      build(`${title}: ${told(given)}`, false, given, expected),
      ...(expected === 'nothing' ? [build(`required ${title}: ${told(given)}`, true, given, expected)] : []),
    ]),
  ]
}

/** A condition, the answers that fulfil it, and those that do not. */
type Conditional = [from: FormField, condition: Omit<Condition, 'field'>, fulfils: unknown[], fails: unknown[]]
const conditionals: Conditional[] = [
  [field('from', 'choice', { options: one }), { op: 'any', value: ['tea', 'water'] }, ['tea', 'water'], ['coffee', null]],
  [field('from', 'choice', { options: one }), { op: 'none', value: ['tea'] }, ['coffee', null], ['tea']],
  [field('from', 'choices', { options: one }), { op: 'any', value: ['tea'] }, [['coffee', 'tea']], [['coffee'], [], null]],
  [field('from', 'choices', { options: one }), { op: 'none', value: ['tea', 'water'] }, [['coffee'], [], null], [['coffee', 'tea']]],
  [field('from', 'items', { options: one }), { op: 'any', value: ['tea'] }, [{ tea: 1 }], [{ tea: 0 }, { coffee: 2 }, null]],
  [field('from', 'items', { options: one }), { op: 'none', value: ['tea'] }, [{ tea: 0 }, { coffee: 1 }, null], [{ tea: 1 }]],
  [field('from', 'items', { options: one }), { op: 'atLeast', value: 3 }, [{ tea: 2, water: 1 }, { tea: 4 }], [{ tea: 2 }, {}, null]],
  [field('from', 'items', { options: one }), { op: 'atMost', value: 3 }, [{ tea: 3 }], [{ tea: 4 }, {}, null]],
  [field('from', 'yes_no'), { op: 'any', value: [true] }, [true], [false, null]],
  [field('from', 'yes_no'), { op: 'any', value: [false] }, [false], [true, null]],
  [field('from', 'yes_no'), { op: 'none', value: [true] }, [false, null], [true]],
  [field('from', 'number', { decimals: 2 }), { op: 'atLeast', value: 5000 }, [5000, 5000.01], [4999.99, 0, null]],
  [field('from', 'number', { decimals: 2 }), { op: 'atMost', value: 0 }, [0, -1], [0.01, null]],
]
const shown: Vector[] = conditionals.flatMap(([from, condition, fulfils, fails]) => {
  const when = [{ field: 'from', ...condition }]
  const fields = [
    from,
    field('it', 'text', { required: true, when }),
    field('below', 'text', { when: [{ field: 'deep', op: 'any', value: [true] }] }),
  ]
  fields.splice(2, 0, field('deep', 'yes_no', { when }))
  const build = (given: unknown, isShown: boolean, it: unknown): Vector => {
    const isLost = it === null || it === 7
    const errors: Vector['errors'] = isShown && isLost ? { it: it === null ? 'required' : 'kind' } : {}
    const isEmpty = given === null || (typeof given === 'object' && Object.values(given).every((count) => count === 0))
    const kept: Answers = isEmpty
      ? {}
      : { from: (Array.isArray(given) ? one.map(({ key }) => key).filter((key) => given.includes(key)) : given) as Answers[string] }
    return {
      name: `${from.kind} ${told(given)} ${condition.op} ${told(condition.value)}, answered ${told(it)}`,
      fields,
      given: { from: given, it, deep: true, below: 'there' },
      facts,
      errors,
      ...(Object.keys(errors).length === 0 && { answers: isShown ? { ...kept, it: it as string, deep: true, below: 'there' } : kept }),
      hidden: isShown ? [] : ['it', 'deep', 'below'],
    }
  }
  return [...fulfils.map((given) => [given, true] as const), ...fails.map((given) => [given, false] as const)].flatMap(([given, isShown]) =>
    ['here', null, 7].map((it) => build(given, isShown, it)),
  )
})

/** Forms of several random fields from the tables. The answer to each field comes from a random line of its table. */
function mixed(count: number): Vector[] {
  const next = generator(7)
  const pick = <T>(list: readonly T[]) => list[next(list.length)]!
  // Leaves out fields that need facts of their own, and `wanted_at`, which a form has at most once.
  const some = tables.filter(([, kind, , known]) => Object.keys(known).length === 0 && kind !== 'wanted_at')
  return Array.from({ length: count }, (_, n) => {
    const chosen = Array.from({ length: 1 + next(12) }, (_, place) => {
      const [, kind, more, , lines] = pick(some)
      const [given, expected] = pick(lines)
      return { field: field(`f${place}`, kind, more), given, expected }
    })
    const errors = Object.fromEntries(
      chosen.flatMap(({ field, expected }) => (typeof expected === 'object' && 'rule' in expected ? [[field.key, expected.rule]] : [])),
    )
    const answers = Object.fromEntries(
      chosen.flatMap(({ field, expected }) => (typeof expected === 'object' && 'stored' in expected ? [[field.key, expected.stored]] : [])),
    )
    return {
      name: `generated form ${n}`,
      fields: chosen.map(({ field }) => field),
      given: Object.fromEntries(chosen.map(({ field, given }) => [field.key, given])),
      facts,
      errors,
      ...(Object.keys(errors).length === 0 && { answers }),
      hidden: [],
    }
  })
}

export const vectors: Vector[] = [...tables.flatMap(fromTable), ...shown, ...mixed(200)]
