/** The mutations of SQL: of functions, triggers, views and statements. */
import type { Edit } from './edit.ts'

/** Whether a string is SQL, at least a part of a statement. */
export const looksLikeSql = (text: string) =>
  /\b(select|returning)\b[^.]*\b(from|where|set|as)\b|\b(insert into|delete from|update \w+ set|set local|order by|select exists)\b/.test(
    text,
  )

/** Replaces comments and strings with as many placeholder characters, so that nothing in them is taken for SQL. */
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

/** An equals sign that compares, instead of assigning a column, an option or an argument. */
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

/** The mutations of some SQL, as edits. */
export function editSql(text: string): Edit[] {
  const hidden = hide(text)
  const edits: Edit[] = []
  for (const [pattern, instead] of swaps)
    for (const match of hidden.matchAll(pattern)) {
      const [start, end] = [match.index, match.index + match[0].length]
      // The match was found in the text with placeholders; the replacement is made from the real one.
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

/** The mutations of a trigger's definition: without an event, a watched column or its condition, or with a wrong argument. */
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
  // No trigger at all.
  edits.push({ start: 0, end: text.length, text: '' })
  return edits
}
