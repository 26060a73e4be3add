import { existsSync, readFileSync } from 'node:fs'
import type { Node } from 'prosemirror-model'
import { describe, expect, test } from 'vitest'
import { schema } from '../extensions.ts'
import { parseMarkdown } from '../markdown/index.ts'
import { serializeHtml } from './serialize.ts'

function html(markdown: string): string {
  return serializeHtml(parseMarkdown(markdown).doc)
}

const paragraph = (content?: Node | Node[]): Node => schema.node('paragraph', null, content)
const doc = (...content: Node[]): Node => schema.node('doc', null, content)

describe('serializeHtml', () => {
  test('writes every kind of block', () => {
    expect(html('# T\n\nA *b* **c** `d` ~~e~~\\\nf')).toBe(
      '<h1>T</h1>\n<p>A <em>b</em> <strong>c</strong> <code>d</code> <s>e</s><br>f</p>\n',
    )
    expect(html('- a\n  - b\n\n3. c')).toBe(
      '<ul><li><p>a</p><ul><li><p>b</p></li></ul></li></ul>\n<ol start="3"><li><p>c</p></li></ol>\n',
    )
    expect(html('- [x] a')).toContain('<input type="checkbox" checked="checked">')
    expect(html('- [ ] a')).toContain('<input type="checkbox">')
    expect(html('> q\n\n---')).toBe('<blockquote><p>q</p></blockquote>\n<hr>\n')
    expect(html('```js\na<b\n```')).toBe('<pre><code class="language-js">a&lt;b</code></pre>\n')
    expect(html('```\n\na\n```')).toBe('<pre><code>\n\na</code></pre>\n')
    expect(html('| a | b |\n| - | :-: |\n| c | d |')).toMatch(/^<table><tbody><tr><th><p>a<\/p><\/th><th/)
    expect(html('![alt "x"](a.png)')).toContain('alt="alt &quot;x&quot;"')
    expect(html('[![alt](a.png)](https://example.org/)')).toMatch(
      /^<a href="https:\/\/example.org\/"><img [^>]*><\/a>\n$/,
    )
    expect(html('<img src="a.png" alt="b" width="50%">')).toBe('<img src="a.png" alt="b" width="50%">\n')
    expect(html('[<img src="a.png" alt="b" title="c&lt;d" width="30" align="center">](https://example.org/)')).toBe(
      '<figure style="text-align: center"><a href="https://example.org/"><img src="a.png" alt="b" width="30"></a><figcaption>c&lt;d</figcaption></figure>\n',
    )
    expect(html('$x<y$')).toBe('<p><span data-type="inline-math" data-latex="x&lt;y">x&lt;y</span></p>\n')
    expect(html('')).toBe('')
  })

  test('marks stay open over several nodes', () => {
    expect(html('**a *b* c** [d **e**](https://example.org/?a=1&b=2)')).toBe(
      '<p><strong>a <em>b</em> c</strong> <a href="https://example.org/?a=1&amp;b=2">d <strong>e</strong></a></p>\n',
    )
  })

  test('a mention is its label', () => {
    const mention = schema.node('mention', {
      id: 'x',
      label: '<ada>',
      kind: 'person',
      requestId: 'secret',
      state: 'sent',
    })
    expect(serializeHtml(doc(paragraph(mention)))).toBe('<p>@&lt;ada&gt;</p>\n')
  })

  test('comments and suggestions leave no trace; both views can be written', () => {
    const text = (value: string, mark?: string, attributes = { id: 'c1' }) =>
      schema.text(value, mark ? [schema.mark(mark, attributes)] : [])
    const commented = schema.text('note', [schema.mark('comment', { threadId: 't1' })])
    const changed = schema.node('paragraph', { threads: 't2', suggestion: '[{"id":"c2","operation":"insert"}]' }, [
      text('new', 'insertion', { id: 'c2' }),
    ])
    const made = doc(paragraph([commented, text(' a'), text('old', 'deletion'), text('now', 'insertion')]), changed)
    expect(serializeHtml(made)).toBe('<p>note aold</p>\n')
    expect(serializeHtml(made, { changes: 'accepted' })).toBe('<p>note anow</p>\n<p>new</p>\n')
  })

  test('addresses that are not safe, and styles and classes that are more than meant, are left out', () => {
    const link = schema.text('x', [schema.mark('link', { href: 'java\nscript:alert(1)' })])
    expect(serializeHtml(doc(paragraph(link)))).toBe('<p>x</p>\n')
    const image = schema.node('image', { src: 'javascript:alert(1)', href: 'data:text/html,x', width: '1" onload="x' })
    expect(serializeHtml(schema.node('doc', null, [image]))).toBe('<img>\n')
    const cell = schema.node('tableCell', { align: 'left;background:url(//x)' }, [paragraph()])
    const table = schema.node('table', null, [schema.node('tableRow', null, [cell])])
    expect(serializeHtml(schema.node('doc', null, [table]))).toBe(
      '<table><tbody><tr><td><p></p></td></tr></tbody></table>\n',
    )
    const code = schema.node('codeBlock', { language: 'x overlay fixed' }, [schema.text('a')])
    expect(serializeHtml(schema.node('doc', null, [code]))).toBe('<pre><code>a</code></pre>\n')
  })

  test('a document nested deeper than the stack is written as its text', () => {
    let node = paragraph(schema.text('deep < down'))
    for (let depth = 0; depth < 20_000; depth++) node = schema.nodes.blockquote!.create(null, node)
    expect(serializeHtml(doc(node))).toBe('<p>deep &lt; down</p>\n')
  })
})

const folder = new URL('../../../../../shared/data/hostile/', import.meta.url)

if (!existsSync(folder)) console.warn(`SKIPPED: hostile texts in HTML, since ${folder.pathname} isn't there`)
describe.skipIf(!existsSync(folder))('hostile texts in HTML', () => {
  const read = (name: string): string => readFileSync(new URL(name, folder), 'utf8')
  const blns: string[] = existsSync(folder) ? JSON.parse(read('blns.json')) : []
  const payloads = existsSync(folder) ? [...blns, ...read('xss-payload-list.txt').split('\n')].filter(Boolean) : []
  const tags = /<\/?(?:p|a|img|figure|figcaption|code|pre|span|mark|br)(?: [a-z-]+="[^"<>]*")*>/g

  test('stay text wherever they are', () => {
    for (const payload of payloads) {
      const written = serializeHtml(
        doc(
          paragraph([
            schema.text(payload),
            schema.text(payload, [schema.mark('link', { href: payload, title: payload })]),
          ]),
          schema.node('codeBlock', { language: payload }, [schema.text(payload)]),
          schema.node('image', {
            src: payload,
            alt: payload,
            title: payload,
            href: payload,
            width: payload,
            height: payload,
            align: payload,
          }),
          paragraph([
            schema.node('mention', { id: payload, label: payload, kind: 'person' }),
            schema.node('inlineMath', { latex: payload }),
            schema.text('x', [schema.mark('highlight', { color: payload })]),
          ]),
        ),
      )
      expect(written.replace(tags, '')).not.toMatch(/[<>]/)
      for (const [, address] of written.matchAll(/(?:href|src)="([^"]*)"/g)) {
        expect(address?.replace(/[\s\0-\x20]/g, '')).not.toMatch(/^(?:javascript|data|vbscript):/i)
      }
      expect(written).not.toMatch(/ on[a-z]+="/)
    }
  })
})
