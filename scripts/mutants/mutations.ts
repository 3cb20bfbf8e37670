import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/** A small change of a source file that a test should notice. */
export interface Mutant {
  file: string;
  /** The lines, from 1, and columns, from 0, of the range to replace. */
  from: { line: number; column: number };
  to: { line: number; column: number };
  /** The range of characters to replace. */
  start: number;
  end: number;
  before: string;
  after: string;
}

/** Runs the tests that may notice a mutant, and returns the name of the one that does. */
export type Killer = (mutant: Mutant) => Promise<string | undefined>;

const OPERATORS: { [operator: string]: string } = {
  '&&': '||',
  '||': '&&',
  '===': '!==',
  '!==': '===',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '-': '+',
  '*': '/',
  '/': '*',
};

/** Runs an action while a file has a mutant. */
export async function mutated<T>(folder: string, mutant: Mutant, action: () => Promise<T>): Promise<T> {
  const path = join(folder, mutant.file);
  const text = readFileSync(path, 'utf8');
  if (text.slice(mutant.start, mutant.end) !== mutant.before)
    throw new Error(`${mutant.file} is not the text that the mutant was made of`);
  writeFileSync(path, text.slice(0, mutant.start) + mutant.after + text.slice(mutant.end));
  try {
    return await action();
  } finally {
    writeFileSync(path, text);
  }
}

/** Returns every mutant of a source file. */
export function mutantsOf(file: string, text: string): Mutant[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: Mutant[] = [];
  const position = (offset: number): Mutant['from'] => {
    const { line, character } = source.getLineAndCharacterOfPosition(offset);
    return { line: line + 1, column: character };
  };
  const visit = (node: ts.Node): void => {
    // Only the compiler reads types: a mutant there changes nothing that runs.
    if (ts.isTypeNode(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return;
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    for (const [at, after] of changes(node)) {
      const [start, end] = [at.getStart(source), at.getEnd()];
      const [from, to] = [position(start), position(end)];
      found.push({ file, from, to, start, end, before: text.slice(start, end), after });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** Yields the changes of one node: the range to replace, and its replacement. */
function* changes(node: ts.Node): Generator<[at: ts.Node, after: string]> {
  if (ts.isIfStatement(node) || ts.isWhileStatement(node)) yield negated(node.expression);
  if (ts.isConditionalExpression(node)) yield negated(node.condition);
  if (ts.isBinaryExpression(node)) {
    const other = OPERATORS[node.operatorToken.getText()];
    if (other !== undefined) yield [node.operatorToken, other];
  }
  if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken)
    yield [node, node.operand.getText()];
  if (ts.isExpressionStatement(node) || ts.isThrowStatement(node)) yield [node, ';'];
  // `return undefined` is the same as `return`.
  if (ts.isReturnStatement(node) && ![undefined, 'undefined'].includes(node.expression?.getText()))
    yield [node, 'return;'];
  if (ts.isNumericLiteral(node)) yield [node, `(${node.getText()} + 1)`];
  if (node.kind === ts.SyntaxKind.TrueKeyword) yield [node, 'false'];
  if (node.kind === ts.SyntaxKind.FalseKeyword) yield [node, 'true'];
  if (ts.isStringLiteral(node) && !isLabel(node) && !isProse(node.text))
    yield [node, node.text === '' ? "'mutant'" : "''"];
}

function negated(condition: ts.Expression): [at: ts.Node, after: string] {
  return [condition, `!(${condition.getText()})`];
}

/** Returns true for the name of a property and the description of a symbol. */
function isLabel(node: ts.StringLiteral): boolean {
  const { parent } = node;
  if (ts.isCallExpression(parent)) return parent.expression.getText() === 'Symbol';
  return ts.isPropertyAssignment(parent) && parent.name === node;
}

/** Returns true for a string that people read, such as the description of a setting. SQL begins with a word in capitals. */
function isProse(text: string): boolean {
  return text.split(' ').length > 2 && !/^[A-Z]{2,} /.test(text);
}
