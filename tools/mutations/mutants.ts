/** The mutants of a TypeScript source: the source with one small mistake each, in a condition, an operator, a call or a list. */
import { stripTypeScriptTypes } from 'node:module'
import { type AnyNode, type Expression, parse } from 'acorn'

/** A range of the source, and the text that replaces it. */
interface Edit {
  start: number
  end: number
  text: string
}
export interface Mutant extends Edit {
  line: number
  /** The changed lines before and after the edit, each joined into one line. */
  from: string
  to: string
}

const operators: Record<string, string> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '%': '*',
  '+=': '-=',
  '-=': '+=',
  '??=': '=',
}
const methods: Record<string, string> = {
  some: 'every',
  every: 'some',
  min: 'max',
  max: 'min',
  startsWith: 'endsWith',
  endsWith: 'startsWith',
}
/** Methods that can be removed from a chain of calls. */
const removable = new Set(
  `filter sort toSorted reverse toReversed slice trim toLowerCase normalize flat catch finally where orderBy having distinct limit offset
   onConflict forUpdate forShare forNoKeyUpdate forKeyShare skipLocked noWait`.split(/\s+/),
)
/** Statements that only log, or let the process end, are not mutated. */
const unobserved = /^(await\s+)?([\w.]+\.)?(log|logger|warn|console|unref)\b/

const isNode = (value: unknown): value is AnyNode => typeof (value as AnyNode | null)?.type === 'string'
const childrenOf = (node: AnyNode) => Object.values(node).flat().filter(isNode)

export function mutantsOf(source: string): Mutant[] {
  const byPlace = new Map(editsOf(source).map((edit) => [`${edit.start} ${edit.end} ${edit.text}`, edit]))
  return [...byPlace.values()].filter(({ start, end, text }) => source.slice(start, end) !== text).map((edit) => describe(source, edit))
}

const inOneLine = (text: string) => text.replace(/\s+/g, ' ').trim().slice(0, 160)

function describe(source: string, { start, end, text }: Edit): Mutant {
  const [before, after] = [source.slice(source.lastIndexOf('\n', start - 1) + 1, start), /^.*/.exec(source.slice(end))![0]]
  const line = source.slice(0, start).split('\n').length
  return { start, end, text, line, from: inOneLine(before + source.slice(start, end) + after), to: inOneLine(before + text + after) }
}

/** The edits that make the mutants. They take no account of types, so the compiler would reject some of them. */
function editsOf(source: string): Edit[] {
  const edits: Edit[] = []
  const replace = ({ start, end }: { start: number; end: number }, text: string) => edits.push({ start, end, text })
  const textOf = ({ start, end }: { start: number; end: number }) => source.slice(start, end)

  /** Replaces the operator between two positions. */
  function swap(from: number, to: number, operator: string, instead = operators[operator]) {
    const start = source.indexOf(operator, from)
    if (instead !== undefined && start >= from && start < to) edits.push({ start, end: start + operator.length, text: instead })
  }

  /** Comparisons that are replaced as whole conditions; negating them as well would add nothing. */
  const conditions = new Set<AnyNode>()
  function replaceCondition(test: Expression) {
    conditions.add(test)
    replace(test, 'true')
    replace(test, 'false')
  }

  /**
   * For each member of a list, an edit that removes it; none for a property whose value is a text of several words, which tests do not
   * quote.
   */
  function dropEach(members: (AnyNode | null)[]) {
    for (const [index, member] of members.entries()) {
      if (!member || (member.type === 'Property' && /^['"`].*\s/.test(textOf(member.value)))) continue
      const [previous, next] = [members[index - 1], members[index + 1]]
      edits.push({ start: next || !previous ? member.start : previous.end, end: next ? next.start : member.end, text: '' })
    }
  }

  function visitCall({ callee, end }: AnyNode & { type: 'CallExpression' }) {
    if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return
    const { name } = callee.property
    if (Object.hasOwn(methods, name)) replace(callee.property, methods[name]!)
    if (removable.has(name)) edits.push({ start: callee.object.end, end, text: '' })
  }

  function visitLiteral(node: AnyNode & { type: 'Literal' }, parent: AnyNode) {
    const { value, regex } = node
    if (typeof value === 'boolean') replace(node, String(!value))
    // Adding 1 is a noticeable mistake in a small number or a status, but not in a duration.
    const isTime = parent.type === 'VariableDeclarator' && /(_MS|_S)$/.test(textOf(parent.id))
    const isMeaningful = Number.isInteger(value) && (Number(value) < 100 || (Number(value) >= 400 && Number(value) < 600))
    if (typeof value === 'number' && isMeaningful && !isTime) replace(node, String(value + 1))
    if (regex?.pattern.startsWith('^')) edits.push({ start: node.start + 1, end: node.start + 2, text: '' })
    const last = node.end - (regex?.flags.length ?? 0) - 2
    if (regex && /[^\\]\$$/.test(regex.pattern)) edits.push({ start: last, end: last + 1, text: '' })
  }

  function visit(node: AnyNode, parent: AnyNode, isInFunction: boolean) {
    switch (node.type) {
      case 'ImportDeclaration':
      case 'ExportAllDeclaration':
        return
      case 'IfStatement':
      case 'ConditionalExpression':
        replaceCondition(node.test)
        break
      case 'WhileStatement':
        replace(node.test, 'false')
        break
      case 'LogicalExpression':
        replace(node, textOf(node.left))
        replace(node, textOf(node.right))
        break
      case 'BinaryExpression': {
        const isText = [node.left, node.right].some(({ start }) => /['"`]/.test(source[start]!))
        const isRedundant = /[=!]==/.test(node.operator) ? conditions.has(node) : node.operator === '+' && isText
        if (!isRedundant) swap(node.left.end, node.right.start, node.operator)
        break
      }
      case 'AssignmentExpression':
        swap(node.left.end, node.right.start, node.operator)
        break
      case 'UpdateExpression':
        swap(node.start, node.end, node.operator, node.operator === '++' ? '--' : '++')
        break
      case 'UnaryExpression':
        if ((node.operator === '!' && !conditions.has(node)) || node.operator === '-') replace(node, textOf(node.argument))
        break
      case 'ExpressionStatement':
        if ('directive' in node || unobserved.test(textOf(node))) return
        if (node.expression.type !== 'UpdateExpression') replace(node, ';')
        break
      case 'ThrowStatement':
        replace(node, ';')
        break
      case 'ArrayExpression':
        dropEach(node.elements)
        break
      case 'ObjectExpression':
        // The compiler usually finds a missing field of a returned object, but not a missing row of a table.
        if (!isInFunction) dropEach(node.properties)
        break
      case 'MemberExpression':
        if (node.optional) swap(node.object.end, node.property.start, '?.', node.computed ? '' : '.')
        break
      case 'CallExpression':
        visitCall(node)
        break
      case 'Literal':
        visitLiteral(node, parent)
        break
    }
    for (const child of childrenOf(node)) visit(child, node, isInFunction || ('body' in node && node.type !== 'Program'))
  }

  const program = parse(stripTypeScriptTypes(source), { ecmaVersion: 'latest', sourceType: 'module' })
  visit(program, program, false)
  return edits
}
