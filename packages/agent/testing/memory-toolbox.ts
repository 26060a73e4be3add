import type { Toolbox, ToolCall, ToolDefinition, ToolOutcome } from '../src/contract.ts'

/**
 * A toolbox over a list of markdown blocks in memory, with texts similar to those of the real tools, for tests of the
 * code around the tools.
 */
export type MemoryToolbox = Toolbox & { blocks: string[]; calls: ToolCall[] }

const names = [
  'read_document',
  'search_document',
  'edit_document',
  'replace_text',
  'get_document_info',
  'insert_text',
  'apply_formatting',
]

/** Creates a toolbox over `blocks`. `wrap` replaces the host's processing of results, such as
 * fencing; `selection` is the selected text. */
export function createMemoryToolbox(
  blocks: string[],
  options: { offered?: readonly string[]; wrap?: (text: string) => string; selection?: string } = {},
): MemoryToolbox {
  const wrap = options.wrap ?? ((text: string) => text)
  const calls: ToolCall[] = []
  const toolbox: MemoryToolbox = {
    blocks,
    calls,
    definitions: (options.offered ?? names).map(defineMemoryTool),
    async execute(call) {
      calls.push(call)
      const outcome = run(toolbox.blocks, call, options.selection)
      return { ...outcome, text: wrap(outcome.text) }
    },
  }
  return toolbox
}

/** A tool definition with an open schema. */
export function defineMemoryTool(name: string): ToolDefinition {
  const schema = () => ({ type: 'object', properties: {} })
  return { name, description: `${name}.`, inputSchema: { jsonSchema: schema(), openapi: schema() } }
}

function run(blocks: string[], { name, arguments: input }: ToolCall, selection: string | undefined): ToolOutcome {
  switch (name) {
    case 'read_document':
      return read(blocks, Number(input['from'] ?? 0), Number(input['to'] ?? blocks.length - 1))
    case 'search_document':
      return search(blocks, String(input['query']), input['matchCase'] === true)
    case 'edit_document':
      return edit(blocks, input)
    case 'replace_text':
      return replaceAll(blocks, input)
    case 'get_document_info':
      return done(`Title: Test\nBlocks: ${blocks.length}, words: ${countWords(blocks)}`)
    case 'insert_text':
      return insert(blocks, input)
    case 'apply_formatting':
      return format(blocks, input, selection)
    default:
      return failed('unknown_tool', name)
  }
}

function read(blocks: string[], from: number, to: number): ToolOutcome {
  if (from >= blocks.length) return failed('out_of_range', `blocks are 0 to ${blocks.length - 1}`)
  const lines = blocks.slice(from, to + 1).map((text, index) => `[${from + index}] ${text}`)
  return done(`Title: Test\n${blocks.length} blocks, ${countWords(blocks)} words\n\n${lines.join('\n')}`)
}

function search(blocks: string[], query: string, matchCase: boolean): ToolOutcome {
  const fold = (text: string): string => (matchCase ? text : text.toLowerCase())
  const hits = blocks.flatMap((text, index) => (fold(text).includes(fold(query)) ? [index] : []))
  if (hits.length === 0) return done('No matches.')
  const count = hits.reduce((sum, index) => sum + fold(blocks[index] ?? '').split(fold(query)).length - 1, 0)
  const shown = new Set(hits.flatMap((index) => [index - 1, index, index + 1]))
  const lines = [...shown].filter((index) => blocks[index] !== undefined).map((index) => `[${index}] ${blocks[index]}`)
  return done(`${count} matches\n\n${lines.join('\n')}`)
}

function edit(blocks: string[], input: Record<string, unknown>): ToolOutcome {
  const find = String(input['find'])
  const places: { block: number; at: number }[] = []
  for (const [block, text] of blocks.entries()) {
    if (typeof input['block'] === 'number' && input['block'] !== block) continue
    for (let at = text.indexOf(find); at >= 0; at = text.indexOf(find, at + find.length)) places.push({ block, at })
  }
  if (places.length === 0) return failed('not_found', `${find} is not in the document`)
  const wanted = input['occurrence']
  if (wanted === undefined && places.length > 1) return failed('ambiguous', `${places.length} places match`)
  const place = wanted === 'last' ? places.at(-1) : places[typeof wanted === 'number' ? wanted - 1 : 0]
  if (!place) return failed('out_of_range', `there are ${places.length} matches`)
  const text = blocks[place.block] ?? ''
  blocks[place.block] = text.slice(0, place.at) + String(input['replace']) + text.slice(place.at + find.length)
  if (blocks[place.block] === '') blocks.splice(place.block, 1)
  return done(`changed\n[${place.block}] ${blocks[place.block]}`)
}

function replaceAll(blocks: string[], input: Record<string, unknown>): ToolOutcome {
  const text = String(input['searchText']).replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')
  const edge = input['wholeWord'] === true ? '\\b' : ''
  const pattern = new RegExp(`${edge}${text}${edge}`, input['matchCase'] === true ? 'g' : 'gi')
  let count = 0
  for (const [index, block] of blocks.entries()) {
    blocks[index] = block.replaceAll(pattern, () => {
      count++
      return String(input['newText'])
    })
  }
  return count === 0 ? failed('not_found', `${text} is not in the document`) : done(`Replaced in ${count} places.`)
}

function insert(blocks: string[], input: Record<string, unknown>): ToolOutcome {
  const position = input['position'] as { type: string; location?: string; anchor?: string; placement?: string }
  const content = String(input['content'])
  if (position.type === 'absolute') {
    if (position.location === 'start') blocks.unshift(content)
    else blocks.push(content)
    return done('inserted')
  }
  const index = blocks.findIndex((text) => text.includes(position.anchor ?? ''))
  if (index < 0) return failed('not_found', `${position.anchor} is not in the document`)
  blocks.splice(position.placement === 'before' ? index : index + 1, 0, content)
  return done('inserted')
}

const fences: Record<string, string> = { bold: '**', italic: '*', code: '`', strike: '~~' }

function format(blocks: string[], input: Record<string, unknown>, selection: string | undefined): ToolOutcome {
  const { type, find: value = selection, block } = input['target'] as { type: string; find?: string; block?: number }
  const { type: name, level = 2 } = input['format'] as { type: string; level?: number }
  if (type === 'block' && block !== undefined) blocks[block] = `${'#'.repeat(level)} ${blocks[block]}`
  const fence = fences[name] ?? ''
  if (value !== undefined)
    for (const [index, text] of blocks.entries()) blocks[index] = text.replaceAll(value, `${fence}${value}${fence}`)
  return done(`Formatted: ${name}.`)
}

function countWords(blocks: readonly string[]): number {
  return blocks.join(' ').match(/[\p{L}\p{N}]+/gu)?.length ?? 0
}

function done(text: string): ToolOutcome {
  return { ok: true, text, summary: 'done' }
}

function failed(code: string, message: string): ToolOutcome {
  return { ok: false, text: `${code}: ${message}`, summary: code }
}
