import { readFileSync } from 'node:fs'

type Node = { type: string; parent: Node; value?: unknown; name?: unknown; [key: string]: unknown }
type Context = { report(problem: { node: object; message: string }): void }

const catalogue = new URL('../../apps/web/src/i18n/de.json', import.meta.url)
const texts = new Set(Object.keys(JSON.parse(readFileSync(catalogue, 'utf8')) as object))

const ownName = 'Copydesk'

const inFunction = "Write t('…'), with the text in the catalogues of apps/web/src/i18n."
const atModuleLevel = 'The language is not known yet. Keep an EnglishText here, and write t(…) where it is shown.'
const notInCatalogue = 'Add the text to the catalogues of apps/web/src/i18n, and write t(…) where it is shown.'

/**
 * Every text of the interface goes through `t` or `tRich`: in functions at once, at the module's level as an
 * `EnglishText`, since the language isn't known while modules load. What counts as a text: letters between JSX tags,
 * and literals that begin with a capital letter or, inside JSX, contain a space.
 */
export const translatedText = {
  create: (context: Context) => ({
    JSXText(node: Node) {
      if (/\p{L}/u.test(String(node.value)) && String(node.value).trim() !== ownName)
        context.report({ node, message: inFunction })
    },
    Literal(node: Node) {
      if (typeof node.value === 'string') check(context, node, node.value)
    },
    TemplateLiteral(node: Node) {
      const quasis = node['quasis'] as { value: { cooked: string } }[]
      check(context, node, quasis.map(({ value }) => value.cooked).join('0'))
    },
    CallExpression(node: Node) {
      if (isTranslation(node) && !isInFunction(node)) context.report({ node, message: atModuleLevel })
    },
  }),
}

function check(context: Context, node: Node, text: string): void {
  if (
    text === ownName ||
    isKeyName(text, node) ||
    isPartOfCode(node) ||
    !(isText(text) || (isPhrase(text) && isInJsx(node)))
  )
    return
  if (isInFunction(node)) {
    if (!isTranslated(node)) context.report({ node, message: inFunction })
  } else if (!texts.has(text)) context.report({ node, message: notInCatalogue })
}

function isText(text: string): boolean {
  // One word like `TypeScript` is a name.
  return /^[“(]?\p{Lu}[\p{Ll} ]/u.test(text) && !/^\S*\p{Ll}\p{Lu}\S*$/u.test(text)
}

function isPhrase(text: string): boolean {
  return /\p{L} |[ ,]\p{L}/u.test(text)
}

/** A shortcut, or the name of a key in a list of them. */
function isKeyName(text: string, { parent }: Node): boolean {
  // A template has `0` for its values.
  if (/^(Mod|Alt|Shift|Ctrl)(-|$)|^(Enter|Tab|Key0)$/.test(text)) return true
  return parent.type === 'ArrayExpression' && /^(Arrow\w+|Delete|End|Home)$/.test(text)
}

// Attributes whose values are never shown.
const codeAttributes = /^(class|className|d|rel|style|shortcut|viewBox|data-.*)$/

/** Compared with something, the name of a property, a module or a type, or in an attribute that isn't shown. */
function isPartOfCode(node: Node): boolean {
  const { parent } = node
  if (/^(Binary|Import|Export|TS|SwitchCase)/.test(parent.type)) return true
  if (/^(Property|PropertyDefinition|MemberExpression)$/.test(parent.type) && isSame(parent['key'], node)) return true
  const attribute = ancestors(node).find(({ type }) => type === 'JSXAttribute')
  return attribute !== undefined && codeAttributes.test(String((attribute.name as Node).name))
}

function isSame(one: unknown, other: object): boolean {
  return typeof one === 'object' && one !== null && 'start' in one && 'start' in other && one.start === other.start
}

function isInJsx(node: Node): boolean {
  for (const { type, parent } of ancestors(node)) {
    if (type === 'JSXAttribute') return true
    if (type === 'JSXExpressionContainer' && parent.type !== 'JSXAttribute') return true
    if (isFunction(type) || type === 'CallExpression') return false
  }
  return false
}

function isTranslated(node: Node): boolean {
  let inner: Node = node
  for (const outer of ancestors(node)) {
    if (outer.type === 'CallExpression') return isTranslation(outer) && isSame((outer['arguments'] as Node[])[0], inner)
    if (!/^(Conditional|Logical|Parenthesized)Expression$|^JSXExpressionContainer$|^TSAs/.test(outer.type)) return false
    inner = outer
  }
  return false
}

function isTranslation(call: Node): boolean {
  return /^t(Rich)?$/.test(String((call['callee'] as Node).name))
}

function isInFunction(node: Node): boolean {
  return ancestors(node).some(({ type }) => isFunction(type) || type.startsWith('JSX'))
}

function isFunction(type: string): boolean {
  return /Function/.test(type)
}

function* ancestors(node: Node): Generator<Node, undefined> {
  for (let each = node.parent; each && each.type !== 'Program'; each = each.parent) yield each
  return undefined
}
