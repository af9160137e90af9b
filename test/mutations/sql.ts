/** The small mistakes that are made in SQL: in the definitions of functions, triggers and views, and in statements. */
import type { Edit } from './edit.ts'

/** Whether a string is a statement or a piece of one. */
export const looksLikeSql = (text: string) =>
  /\b(select|returning)\b[^.]*\b(from|where|set|as)\b|\b(insert into|delete from|update \w+ set|set local|order by|select exists)\b/.test(
    text,
  )

/** Comments and strings hidden behind as many marks, so that nothing in them is taken for SQL. */
const hide = (text: string) => text.replace(/--[^\n]*|'(?:[^'\n]|'')*'/g, (hidden) => '\u0001'.repeat(hidden.length))

type Swap = [pattern: RegExp, text: string | ((match: RegExpExecArray) => string)]

const swaps: Swap[] = [
  [/(?<!\bbetween\s+[^\s]+\s+)\band\b/g, 'or'],
  [/(?<!\b(?:insert|update|delete|create)\s+)\bor\b(?!\s+(?:insert|update|delete|replace|truncate)\b)/g, 'and'],
  [/\bnot exists\b/g, 'exists'],
  [/(?<!\bnot |\bif )\bexists(?=\s*\()/g, 'not exists'],
  [/\bis null\b/g, 'is not null'],
  [/\bis not null\b/g, 'is null'],
  [/\bis distinct from\b/g, 'is not distinct from'],
  [/(?<=\s)<>(?=\s)/g, '='],
  [/(?<=\s)<(?=\s)/g, '<='],
  [/(?<=\s)>(?=\s)/g, '>='],
  [/(?<=\s)<=(?=\s)/g, '<'],
  [/(?<=\s)>=(?=\s)/g, '>'],
  [/(?<=[\w)]\s)\+(?=\s)/g, '-'],
  [/(?<=[\w)]\s)-(?=\s)/g, '+'],
  [/\bdesc\b/g, 'asc'],
  [/\border by (?!case\b)[\w."]+(?!\s*(?:desc|[(:+\w]))/g, ([whole]) => `${whole} desc`],
  [/\bfor (?:no key update|key share|update|share)(?: of \w+)?\b/g, ''],
  [/\bskip locked\b/g, ''],
  [/\b(?:select|count\()\s*distinct\b/g, ([whole]) => whole.replace('distinct', '')],
  [/\bunion all\b/g, 'union'],
  [/\bleft join\b/g, 'join'],
  [/\bgreatest\b/g, 'least'],
  [/\bleast\b/g, 'greatest'],
  [/\bmin\(/g, 'max('],
  [/\bmax\(/g, 'min('],
  [/\btrue\b/g, 'false'],
  [/\bfalse\b/g, 'true'],
  [/(?<=[\s(,])\b\d\b(?=[\s),;]|$)/g, ([whole]) => String(Number(whole) + 1)],
  [/\b(?:raise exception|perform|execute|insert into|update|delete from)\s[^;]*;/g, 'null;'],
  [/(?<!\bend )\bif\s+([^;]+?)\s+then\b/g, ([, test]) => `if not (${test}) then`],
  [/\breturn (?:new|old)\b/g, 'return null'],
]

/** Only where two things are compared: not where a column is set, an option or an argument given. */
function* comparisons(hidden: string) {
  let compares = false
  for (const { 0: word, index } of hidden.matchAll(
    /\b(?:set|where|on|and|or|when|if|having|case|not|with|returning|values)\b|(?<=\s)=(?=\s)/g,
  )) {
    if (word === '=') {
      if (compares) yield index
    } else compares = !/^(set|with|returning|values)$/.test(word)
  }
}

/** The mutants of a piece of SQL, as edits of it. */
export function editSql(text: string): Edit[] {
  const hidden = hide(text)
  const edits: Edit[] = []
  for (const [pattern, instead] of swaps)
    for (const match of hidden.matchAll(pattern)) {
      const [start, end] = [match.index, match.index + match[0].length]
      // What a function makes of its match is made of the text itself, strings and all.
      const own = Object.assign([text.slice(start, end), sameGroup(text, hidden, match)], {
        index: start,
        input: text,
      }) as unknown as RegExpExecArray
      edits.push({ start, end, text: typeof instead === 'string' ? instead : instead(own) })
    }
  for (const start of comparisons(hidden)) edits.push({ start, end: start + 1, text: '<>' })
  for (const { 0: span, 1: number, index } of text.matchAll(/interval '(\d+) \w+'/g))
    edits.push({ start: index, end: index + span.length, text: span.replace(number!, String(Number(number) * 2)) })
  return edits
}

function sameGroup(text: string, hidden: string, match: RegExpExecArray) {
  if (match[1] === undefined) return undefined
  const start = hidden.indexOf(match[1], match.index)
  return text.slice(start, start + match[1].length)
}

/** The mutants of a trigger's definition as PostgreSQL writes it: an event lost, a column no longer watched, a condition dropped, an argument wrong. */
export function editTrigger(text: string): Edit[] {
  const edits: Edit[] = []
  const events = /(?:AFTER|BEFORE|INSTEAD OF) (.*?) ON /.exec(text)
  if (events) {
    const start = events.index + events[0].indexOf(events[1]!)
    const all = events[1]!.split(' OR ')
    if (all.length > 1)
      for (const one of all) edits.push({ start, end: start + events[1]!.length, text: all.filter((other) => other !== one).join(' OR ') })
  }
  const condition = / WHEN \(.*\)(?= EXECUTE)/.exec(text)
  if (condition) edits.push({ start: condition.index, end: condition.index + condition[0].length, text: '' })
  const timing = / DEFERRABLE INITIALLY DEFERRED/.exec(text)
  if (timing) edits.push({ start: timing.index, end: timing.index + timing[0].length, text: '' })
  const given = /EXECUTE FUNCTION [\w.]+\((.*)\)$/.exec(text)
  if (given?.[1])
    for (const { 0: argument, index } of given[1].matchAll(/'[^']*'/g)) {
      const start = given.index + given[0].indexOf('(') + 1 + index
      edits.push({ start, end: start + argument.length, text: "'0'" })
    }
  // The trigger is not there at all.
  edits.push({ start: 0, end: text.length, text: '' })
  return edits
}
