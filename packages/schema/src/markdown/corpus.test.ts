import { existsSync, readdirSync, readFileSync } from 'node:fs'
import type { Node } from 'prosemirror-model'
import { describe, expect, test } from 'vitest'
import { isSafeUrl } from '../links.ts'
import { parseMarkdown, serializeMarkdown } from './index.ts'

// Third-party texts, stored outside of the repository; the fixtures test every construct without them.
const data = new URL('../../../../../shared/data/', import.meta.url)
const isMissing = !existsSync(data)
if (isMissing) console.warn(`SKIPPED: the markdown corpora are not at ${data.pathname}`)

const specifications = ['commonmark-0.31.2-spec', 'gfm-0.29-spec', 'gfm-extensions', 'cmark-regression']
const markdownFiles = isMissing
  ? ['(none)']
  : readdirSync(new URL('markdown/', data)).filter((name) => name.endsWith('.md'))

function read(path: string): string {
  return readFileSync(new URL(path, data), 'utf8')
}

function readJson<T>(path: string): T {
  return JSON.parse(read(path))
}

/** Parses and serializes twice, expects equal results, and returns those of the first pass. */
function expectStable(markdown: string): { doc: Node; written: string; frontmatter: string | null } {
  const first = parseMarkdown(markdown)
  first.doc.check()
  const written = serializeMarkdown(first.doc, first.frontmatter)
  const second = parseMarkdown(written)
  expect(serializeMarkdown(second.doc, second.frontmatter)).toBe(written)
  expect(second.doc.eq(first.doc)).toBe(true)
  expect(second.frontmatter).toBe(first.frontmatter)
  return { doc: first.doc, written, frontmatter: first.frontmatter }
}

function countWords(text: string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const [word] of text.matchAll(/[\p{L}\p{N}]+/gu)) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

/**
 * The source without the parts that serialization may change: labels of references, whose addresses move to the links;
 * numbers of items, which are renumbered; `<br>`, which becomes a break; character references, which become characters;
 * `[X]`.
 */
function withoutSyntax(source: string): string {
  return source
    .replace(/\]\[[^\]\n]*\]/g, ']')
    .replace(/^[ \t>]*\[[^\]]+\]:[ \t]*\S+.*$/gm, '')
    .replace(/(?:^|[-+*>] )[ \t>]*\d{1,9}[.)](?=\s)/gm, ' ')
    .replace(/<br\s*\/?>/gi, ' ')
    .replace(/&(?:#\d+|#x[\da-f]+|[a-z]+);/gi, ' ')
    .replace(/([-*+] )\[X\]/g, '$1[x]')
    .replace(/\\([!-/:-@[-`{-~])/g, '$1')
}

function lostWords(source: string, written: string): string[] {
  const decoded = written
    .replace(/\\([!-/:-@[-`{-~])/g, '$1')
    .replace(/&#x([\da-f]+);/gi, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)))
  const kept = countWords(decoded)
  const expected = countWords(withoutSyntax(source))
  return [...expected].filter(([word, count]) => (kept.get(word) ?? 0) < count).map(([word]) => word)
}

describe.skipIf(isMissing)('real documents', () => {
  test.each(markdownFiles)('%s is byte-stable and loses no word', (name) => {
    const source = read(`markdown/${name}`)
    const { written, frontmatter } = expectStable(source)
    expect(lostWords(source, written)).toEqual([])
    const yaml = /^---\n([^]*?)\n---\n/.exec(source)?.[1]
    expect(frontmatter).toBe(yaml ?? null)
  })
})

describe.skipIf(isMissing)('specifications', () => {
  test.each(specifications)('every example of %s is stable', (name) => {
    const examples = readJson<{ markdown: string }[]>(`commonmark/${name}.json`)
    for (const { markdown } of examples) expectStable(markdown)
    expect(examples.length).toBeGreaterThan(20)
  })
})

type Part = { text: string; repeat?: number | 'i' } | { for: [number, number]; body: Part | Part[] }
type Pathological = { id: string; parts: Part[]; inputChars: number }

function expand(parts: Part | Part[], index = 0): string {
  return [parts]
    .flat()
    .map((part) => {
      if ('text' in part) return part.text.repeat(part.repeat === 'i' ? index : (part.repeat ?? 1))
      const [from, to] = part.for
      return Array.from({ length: to - from }, (_, offset) => expand(part.body, from + offset)).join('')
    })
    .join('')
}

describe.skipIf(isMissing)('hostile texts', () => {
  test('the pathological inputs are read in full length, and stay stable', () => {
    const slow: string[] = []
    for (const { id, parts, inputChars } of readJson<Pathological[]>('hostile/markdown-pathological.json')) {
      const markdown = expand(parts)
      expect(markdown.length, id).toBe(inputChars)
      const start = performance.now()
      expectStable(markdown)
      const milliseconds = Math.round(performance.now() - start)
      if (milliseconds > 1000) slow.push(`${id} ${milliseconds} ms`)
    }
    console.info(`pathological inputs that took more than a second: ${slow.join(', ') || 'none'}`)
  })

  test('no payload becomes an unsafe link or image', () => {
    const payloads = [...read('hostile/xss-payload-list.txt').split('\n'), ...readJson<string[]>('hostile/blns.json')]
    const forms = payloads.flatMap((payload, index) => {
      const address = payload.replace(/[<>\n]/g, '')
      const definition = `[b${index}]: <${address}>`
      return [`[a](<${address}>)`, `![a](<${address}>)`, `<${payload}>`, `[a][b${index}]\n\n${definition}`, payload]
    })
    // Batched, because setting up the parser costs more than parsing one payload.
    for (let from = 0; from < forms.length; from += 200) {
      const markdown = forms.slice(from, from + 200).join('\n\n')
      expectSafe(parseMarkdown(markdown).doc, markdown)
    }
  })

  test('every naughty string is stable', () => {
    for (const text of readJson<string[]>('hostile/blns.json')) expectStable(text)
  })
})

function expectSafe(doc: Node, source: string): void {
  doc.descendants((node) => {
    const addresses = node.marks.filter((mark) => mark.type.name === 'link').map((mark): unknown => mark.attrs.href)
    if (node.type.name === 'image') addresses.push(node.attrs.src, node.attrs.href ?? '')
    for (const address of addresses) if (!isSafeUrl(address)) throw new Error(`unsafe: ${source}`)
  })
}
