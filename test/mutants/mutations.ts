/** Lists the faults for a source: each replaces one text by another. */
import { parseSync } from 'vite';

/** One fault: `text` replaces the characters from `start` up to `end`. */
export type Mutation = { start: number; end: number; text: string; kind: string };

type Node = { type: string; start: number; end: number; [member: string]: any };

/** Replacements of a comparison operator: the boundary moved, and the direction reversed. */
const COMPARISONS: Record<string, readonly string[]> = {
  '<': ['<=', '>'],
  '<=': ['<', '>'],
  '>': ['>=', '<'],
  '>=': ['>', '<'],
  '===': ['!=='],
  '!==': ['==='],
  '==': ['!='],
  '!=': ['=='],
};
const ARITHMETIC: Record<string, string> = {
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '%': '*',
  '**': '*',
  '+=': '-=',
  '-=': '+=',
  '*=': '/=',
  '++': '--',
  '--': '++',
};
const METHODS: Record<string, string> = {
  some: 'every',
  every: 'some',
  min: 'max',
  max: 'min',
  floor: 'ceil',
  ceil: 'floor',
};
/** Chained calls that only set a default, an order or a filter. A fault removes the call from its chain. */
const DROPPED = new Set(['default', 'orderBy', 'filter', 'sort', 'toSorted', 'reverse', 'toReversed', 'trim']);
/** Functions of drizzle that compare, and drizzle functions that combine conditions. */
const COMPARE = new Set(['gt', 'gte', 'lt', 'lte']);
const JOIN = new Set(['and', 'or']);
/** SQL texts and their replacements. */
const SQL: Record<string, string> = {
  '<': '>',
  '>': '<',
  '<=': '>',
  '>=': '<',
  '+': '-',
  '-': '+',
  AND: 'OR',
  OR: 'AND',
  DESC: 'ASC',
};
const IS_SQL = /\b(SELECT|UPDATE|DELETE|WHERE|ORDER BY)\b/;
/** Kinds of type nodes that contain an expression. All other type nodes are skipped. */
const AROUND = new Set(['TSAsExpression', 'TSSatisfiesExpression', 'TSNonNullExpression']);

const isText = (node: Node): boolean =>
  node.type === 'TemplateLiteral' || (node.type === 'Literal' && typeof node.value === 'string');
const children = (node: Node): Node[] =>
  Object.values(node)
    .flat()
    .filter((member) => typeof member?.type === 'string');

/** Returns all faults for the TypeScript `source`, in source order. */
export const mutationsOf = (source: string): Mutation[] => {
  const found = new Map<string, Mutation>();
  const put = (kind: string, { start, end }: { start: number; end: number }, text: string) => {
    if (source.slice(start, end) !== text) found.set(`${start} ${end} ${text}`, { start, end, text, kind });
  };
  const textOf = (node: Node): string => source.slice(node.start, node.end);
  /** Returns whether the node is a call that logs. No test needs to check log messages. */
  const isLog = (node: Node): boolean => node.type === 'CallExpression' && /(^|[.#])log\b/.test(textOf(node.callee));
  const swap = (kind: string, node: Node, from: Node, operator: string, to: string) => {
    const at = source.indexOf(operator, from.end);
    if (at >= 0 && at < node.end) put(kind, { start: at, end: at + operator.length }, to);
  };
  /** Adds a fault that negates a condition, unless it is an operator or a literal, which get other faults. */
  const negate = (test: Node) => {
    if (!['BinaryExpression', 'LogicalExpression', 'UnaryExpression', 'Literal'].includes(test.type))
      put('condition', test, `!(${textOf(test)})`);
  };

  const sql = ({ start, end }: Node) => {
    for (const { 0: found, index } of source.slice(start, end).matchAll(/(?<= )([<>]=?|[+-]|AND|OR|DESC)(?=[ `'])/g))
      put('SQL', { start: start + index, end: start + index + found.length }, SQL[found]!);
  };
  const plant = (node: Node): void => {
    switch (node.type) {
      case 'BinaryExpression': {
        for (const other of COMPARISONS[node.operator] ?? []) swap('comparison', node, node.left, node.operator, other);
        const other = ARITHMETIC[node.operator];
        if (other && !isText(node.left) && !isText(node.right))
          swap('arithmetic', node, node.left, node.operator, other);
        return;
      }
      case 'LogicalExpression':
        put(node.operator === '??' ? 'default' : 'condition', node, textOf(node.left));
        if (node.operator !== '??') put('condition', node, textOf(node.right));
        return;
      case 'UnaryExpression':
        if (node.operator === '!') put('condition', node, textOf(node.argument));
        if (node.operator === '-') put('arithmetic', node, textOf(node.argument));
        return;
      case 'UpdateExpression': {
        const at = node.prefix ? node.start : node.end - 2;
        return put('arithmetic', { start: at, end: at + 2 }, ARITHMETIC[node.operator]!);
      }
      case 'AssignmentExpression':
        if (ARITHMETIC[node.operator]) swap('arithmetic', node, node.left, node.operator, ARITHMETIC[node.operator]!);
        return;
      case 'IfStatement':
        put('statement', node.test, 'false');
        return negate(node.test);
      case 'ConditionalExpression':
        return negate(node.test);
      case 'WhileStatement':
        return put('statement', node.test, 'false');
      case 'ExpressionStatement': {
        const { expression } = node;
        if (!node.directive && expression.callee?.type !== 'Super' && !isLog(expression)) put('statement', node, ';');
        return;
      }
      case 'AssignmentPattern':
        return put('default', { start: node.left.end, end: node.end }, '');
      case 'CallExpression': {
        const { callee } = node;
        const args = node.arguments as Node[];
        if (COMPARE.has(callee.name) && args.length === 2)
          put('comparison', { start: args[0]!.start, end: args[1]!.end }, `${textOf(args[1]!)}, ${textOf(args[0]!)}`);
        if (JOIN.has(callee.name)) for (const one of args) put('condition', one, 'undefined');
        if (callee.type !== 'MemberExpression' || callee.computed) return;
        const name: string = callee.property.name;
        if (METHODS[name]) put('method', callee.property, METHODS[name]!);
        if (DROPPED.has(name)) put('method', { start: callee.object.end, end: node.end }, '');
        return;
      }
      case 'TaggedTemplateExpression':
        if (node.tag.name === 'sql') sql(node.quasi);
        return;
      case 'TemplateLiteral':
        if (IS_SQL.test(textOf(node))) sql(node);
        return;
      case 'Literal':
        if (typeof node.value === 'string' && IS_SQL.test(node.value)) return sql(node);
        if (typeof node.value === 'boolean') put('literal', node, String(!node.value));
        if (typeof node.value === 'number')
          put('literal', node, String(node.value < 100 ? node.value + 1 : node.value * 2));
        if (typeof node.value === 'string') put('literal', node, node.value === '' ? "'mutant'" : "''");
    }
  };

  const visit = (node: Node): void => {
    if (node.type.startsWith('TS')) {
      if (AROUND.has(node.type)) visit(node.expression);
      return;
    }
    if (node.type === 'ImportDeclaration' || node.type.startsWith('ExportAll') || node.type === 'ThrowStatement')
      return;
    if (node.type === 'NewExpression' && /Error$/.test(textOf(node.callee))) return;
    if (isLog(node)) return;
    plant(node);
    for (const child of children(node)) {
      // Skips object keys, which are names, and texts in comparisons, which are handled with the comparison.
      if (child === node.key && !node.computed) continue;
      if (COMPARISONS[node.operator] && isText(child)) continue;
      visit(child);
    }
  };
  visit(parseSync('source.ts', source).program as unknown as Node);
  return [...found.values()].sort((a, b) => a.start - b.start || a.end - b.end);
};
