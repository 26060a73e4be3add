import { createLowlight } from 'lowlight'
import { findLanguage } from './languages.ts'

/** A range of code with the classes that colour it; offsets in UTF-16 units. */
export type Token = { from: number; to: number; className: string }

type Tree = ReturnType<ReturnType<typeof createLowlight>['highlight']>
type TreeNode = Tree['children'][number]

const lowlight = createLowlight()

// HTML embeds the other two.
const companions: Record<string, readonly string[]> = { html: ['css', 'javascript'], markdown: ['xml'] }

/** Loads a language of `languages.ts`; resolves to whether that name exists. Rejects when it can't be fetched. */
export async function loadLanguage(name: string): Promise<boolean> {
  const wanted = [name, ...(companions[name] ?? [])].filter((each) => !lowlight.registered(each))
  const loaded = await Promise.all(wanted.map(async (each) => [each, await findLanguage(each)?.load()] as const))
  for (const [each, module] of loaded) if (module) lowlight.register(each, module.default)
  return lowlight.registered(name)
}

/** The tokens of code in a loaded language, in order and without overlap; none for others. */
export function tokenize(name: string, code: string): Token[] {
  if (!lowlight.registered(name)) return []
  const tokens: Token[] = []
  collect(lowlight.highlight(name, code).children, 0, '', tokens)
  return tokens
}

function collect(nodes: readonly TreeNode[], start: number, classes: string, tokens: Token[]): number {
  let at = start
  for (const node of nodes) {
    if (node.type === 'text') {
      if (classes !== '') tokens.push({ from: at, to: at + node.value.length, className: classes })
      at += node.value.length
    } else if (node.type === 'element') {
      const own = node.properties.className
      at = collect(node.children, at, [classes, ...(Array.isArray(own) ? own : [])].join(' ').trim(), tokens)
    }
  }
  return at
}
