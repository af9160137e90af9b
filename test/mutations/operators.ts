/** The mutations of TypeScript sources: of conditions, comparisons, calls, list members, and the SQL in strings. */
import { stripTypeScriptTypes } from 'node:module'
import { type AnyNode, type Expression, parse } from 'acorn'
import type { Edit } from './edit.ts'
import { editSql, looksLikeSql } from './sql.ts'

const comparisons: Record<string, string> = { '<': '<=', '<=': '<', '>': '>=', '>=': '>', '===': '!==', '!==': '===' }
const arithmetic: Record<string, string> = { '+': '-', '-': '+', '*': '/', '/': '*', '%': '*', '+=': '-=', '-=': '+=' }
const methods: Record<string, string> = {
  some: 'every',
  every: 'some',
  min: 'max',
  max: 'min',
  startsWith: 'endsWith',
  endsWith: 'startsWith',
}
/** Methods that can be removed from a chain of calls. */
const links = new Set(
  `filter sort toSorted reverse toReversed slice trim toLowerCase catch finally where orderBy forUpdate forShare forNoKeyUpdate forKeyShare
   skipLocked noWait distinct onConflict limit offset having flat normalize`.split(/\s+/),
)
/** Calls that only log, which are not mutated. */
const spoken = new Set(['log', 'logger', 'warn', 'console'])
const operatorsOfSql: Record<string, string> = { "'='": "'!='", "'!='": "'='", "'<'": "'<='", "'<='": "'<'", "'>'": "'>='", "'>='": "'>'" }

const isNode = (value: unknown): value is AnyNode => typeof (value as AnyNode | null)?.type === 'string'
const childrenOf = (node: AnyNode) => Object.values(node).flat().filter(isNode)

/** The mutations of a source, as edits. Types are not considered, so the compiler would reject some of them. */
export function editSource(source: string): Edit[] {
  const edits: Edit[] = []
  const replace = ({ start, end }: { start: number; end: number }, text: string) => edits.push({ start, end, text })
  const textOf = ({ start, end }: { start: number; end: number }) => source.slice(start, end)
  /** Replaces the operator between two operands. */
  function replaceSign(from: number, to: number, sign: string, instead: string | undefined) {
    const at = source.indexOf(sign, from)
    if (instead !== undefined && at >= from && at < to) edits.push({ start: at, end: at + sign.length, text: instead })
  }

  /** Conditions that are replaced as a whole; negating them as well would add nothing. */
  const tests = new Set<AnyNode>()
  function condition(test: Expression) {
    tests.add(test)
    replace(test, 'true')
    replace(test, 'false')
  }

  /** Removes one member of a list at a time. */
  function dropEach(members: (AnyNode | null)[]) {
    for (const [index, member] of members.entries()) {
      if (!member || isProse(member)) continue
      const next = members[index + 1]
      const before = members[index - 1]
      const start = next || !before ? member.start : before.end
      edits.push({ start, end: next ? next.start : member.end, text: '' })
    }
  }
  const isProse = (member: AnyNode) =>
    member.type === 'Property' && (/^['"`].*\s/.test(textOf(member.value)) || textOf(member.key) === 'name')

  function visitCall(node: AnyNode & { type: 'CallExpression' }) {
    const { callee } = node
    if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return
    const { name } = callee.property
    if (Object.hasOwn(methods, name)) replace(callee.property, methods[name]!)
    if (links.has(name) && callee.object.type !== 'Super') edits.push({ start: callee.object.end, end: node.end, text: '' })
    for (const argument of node.arguments) {
      const text = textOf(argument)
      if (operatorsOfSql[text]) replace(argument, operatorsOfSql[text])
      if (text === "'desc'") replace(argument, "'asc'")
      if (text === "'asc'") replace(argument, "'desc'")
    }
  }

  function visitNumber(node: AnyNode, value: number, parent: AnyNode) {
    const isOfTime = parent.type === 'VariableDeclarator' && /(_MS|_S)$/.test(textOf(parent.id))
    const isSmall = value < 100 || (value >= 400 && value < 600)
    if (isSmall && !isOfTime && Number.isInteger(value)) replace(node, String(value + 1))
  }

  function visitRegExp(node: AnyNode, pattern: string, flags: string) {
    if (pattern.startsWith('^')) edits.push({ start: node.start + 1, end: node.start + 2, text: '' })
    const last = node.end - flags.length - 2
    if (/[^\\]\$$/.test(pattern)) edits.push({ start: last, end: last + 1, text: '' })
    if (flags.includes('g')) replace({ start: node.end - flags.length, end: node.end }, flags.replace('g', ''))
  }

  const isSpoken = (expression: Expression) => {
    const called = /^(?:await\s+)?([\w.]+)\(/.exec(textOf(expression))?.[1]?.split('.') ?? []
    return called.some((name) => spoken.has(name)) || called.at(-1) === 'unref'
  }

  function visitSql(node: { start: number; end: number }) {
    for (const { start, end, text } of editSql(textOf(node))) edits.push({ start: node.start + start, end: node.start + end, text })
  }

  function visit(node: AnyNode, parent: AnyNode, isInside: boolean) {
    switch (node.type) {
      case 'ImportDeclaration':
      case 'ExportAllDeclaration':
        return
      case 'IfStatement':
      case 'ConditionalExpression':
        condition(node.test)
        break
      case 'WhileStatement':
        replace(node.test, 'false')
        break
      case 'LogicalExpression':
        replace(node, textOf(node.left))
        replace(node, textOf(node.right))
        break
      case 'BinaryExpression': {
        const [from, to] = [node.left.end, node.right.start]
        const isText = [node.left, node.right].some(({ type, start }) => type === 'TemplateLiteral' || /['"`]/.test(source[start]!))
        if (/[=!]==/.test(node.operator) && tests.has(node)) break
        if (comparisons[node.operator]) replaceSign(from, to, node.operator, comparisons[node.operator])
        else if (!isText) replaceSign(from, to, node.operator, arithmetic[node.operator])
        break
      }
      case 'AssignmentExpression':
        replaceSign(node.left.end, node.right.start, node.operator, node.operator === '??=' ? '=' : arithmetic[node.operator])
        break
      case 'UpdateExpression':
        replaceSign(node.start, node.end, node.operator, node.operator === '++' ? '--' : '++')
        break
      case 'UnaryExpression':
        if ((node.operator === '!' && !tests.has(node)) || node.operator === '-') replace(node, textOf(node.argument))
        break
      case 'ExpressionStatement':
        if ('directive' in node || isSpoken(node.expression)) return
        if (node.expression.type !== 'UpdateExpression') replace(node, ';')
        break
      case 'ThrowStatement':
        replace(node, ';')
        break
      case 'ArrayExpression':
        dropEach(node.elements)
        break
      case 'ObjectExpression':
        // Missing fields of a returned object are mostly found by the compiler, missing rows of a table mostly not.
        if (!isInside) dropEach(node.properties)
        break
      case 'MemberExpression':
        if (node.optional) replaceSign(node.object.end, node.property.start, '?.', node.computed ? '' : '.')
        break
      case 'CallExpression':
        visitCall(node)
        break
      case 'Literal':
        if (typeof node.value === 'boolean') replace(node, String(!node.value))
        if (typeof node.value === 'number') visitNumber(node, node.value, parent)
        if (node.regex) visitRegExp(node, node.regex.pattern, node.regex.flags)
        if (typeof node.value === 'string' && looksLikeSql(node.value)) visitSql({ start: node.start + 1, end: node.end - 1 })
        break
      case 'TemplateLiteral': {
        const isTagged = parent.type === 'TaggedTemplateExpression' && textOf(parent.tag).startsWith('sql')
        if (isTagged || looksLikeSql(textOf(node))) for (const quasi of node.quasis) visitSql(quasi)
        break
      }
    }
    for (const child of childrenOf(node)) visit(child, node, isInside || ('body' in node && node.type !== 'Program'))
  }

  const program = parse(stripTypeScriptTypes(source), { ecmaVersion: 'latest', sourceType: 'module' })
  visit(program, program, false)
  return edits
}
