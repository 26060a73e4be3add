import { schema } from '@copydesk/schema'
import { serializeHtml } from '@copydesk/schema/html'
import { parseMarkdown, serializeMarkdown } from '@copydesk/schema/markdown'
import { describe, expect, test } from 'vitest'
import { growthOf } from '../../testing/growth.ts'
import { readHtml } from './read-html.ts'

// Browsers reopen all of these formats in every paragraph: for 2,000, four million elements.
function unclosedFormats(count: number): string {
  const formats = Array.from({ length: count }, (_, index) => `<font a${index}>`)
  return `<p>${formats.join('')}${'<p>x'.repeat(count)}`
}

function markdown(html: string): string {
  const doc = schema.topNodeType.createAndFill(null, readHtml(html))
  doc?.check()
  return doc ? serializeMarkdown(doc).trimEnd() : ''
}

describe('readHtml', () => {
  test.each([
    ['paragraphs and formats', '<p>a <b>b</b> <em>c</em>\n d</p><p>e', 'a **b** *c* d\n\ne'],
    ['headings', '<h1>T</h1><h3>S <code>x</code></h3>', '# T\n\n### S `x`'],
    ['bare text between blocks', 'one <i>two</i><p>three</p> four', 'one *two*\n\nthree\n\nfour'],
    ['unknown elements by their content', '<div><section>a</section><x-y>b</x-y></div>', 'a\n\nb'],
    ['lists', '<ul><li>a<li>b<ol start=3><li>c</ol></ul>', '- a\n- b\n\n  3. c'],
    [
      'tasks',
      '<ul><li><input type="checkbox" checked> a</li><li><input type=checkbox> b</li></ul>',
      '- [x] a\n- [ ] b',
    ],
    ['quotes and rules', '<blockquote>a<p>b</blockquote><hr>', '> a\n>\n> b\n\n***'],
    ['code', '<pre><code class="language-js">a &lt; b\n  c</code></pre>', '```js\na < b\n  c\n```'],
    ['tables', '<table><thead><tr><th>a<th>b</thead><tr><td>1<td><p>2</p></table>', '| a | b |\n| - | - |\n| 1 | 2 |'],
    ['links', '<a href="https://a.example/?a=1&amp;b">x</a>', '[x](https://a.example/?a=1&b)'],
    ['line breaks', '<p>a<br> b<br></p>', 'a\\\nb'],
    ['images', '<p>a <img src="/i.png" alt="b"> c</p>', 'a\n\n![b](/i.png)\n\nc'],
    ['an image with its width', '<img width=300 src="/i.png" alt="b">', '<img src="/i.png" alt="b" width="300">'],
    [
      'a figure',
      '<figure style="text-align:center"><a href="/c"><img src="/i.png" alt="b"></a><figcaption>A <b>cat</b>\n</figcaption></figure>',
      '[<img src="/i.png" alt="b" title="A cat" align="center">](/c)',
    ],
    ['a figure of more', '<figure><pre>a</pre><figcaption>b</figcaption></figure>', '```\na\n```\n\nb'],
    ['references', '<p>&amp;&nbsp;&#8212;&#x1F600;&bogus;</p>', '&\u00A0—😀\\&bogus;'],
    ['no scripts', '<p>a</p><script>alert("<p>x</p>")</script><style>p{}</style><!-- <p>y</p> -->', 'a'],
    ['no unsafe addresses', '<a href="java\nscript:x">a</a><img src="javascript:x" alt="b">', 'ab'],
    ['no handlers', '<p onclick="x">a</p><img src=/i.png onerror=x>', 'a\n\n![](/i.png)'],
    ['loose signs', 'a < b <3 </nothing> <', 'a < b <3 <'],
    ['nothing', '  <p> </p>\n', ''],
  ])('reads %s', (_title, html, expected) => {
    expect(markdown(html)).toBe(expected)
  })

  test('reads what is written', () => {
    const source =
      '# T\n\nA *b* **c** `d` ~~e~~ <u>f</u>\\\ng $x^2$\n\n- [x] a\n- [ ] b\n\n3. a\n   - b\n\n> q\n\n```js\na\n```\n\n| a | b |\n| - | - |\n| 1 | **2** |\n\n---\n\n![i](/i.png)\n\n[<img src="/i.png" alt="i" title="A cat" width="50%" align="right">](/j)\n\n$$\ny\n$$'
    const html = serializeHtml(parseMarkdown(source).doc)
    expect(markdown(html)).toBe(serializeMarkdown(parseMarkdown(source).doc).trimEnd())
  })

  test.each([
    ['<div>', 5000],
    ['<p a="', 3000],
    ['<', 20_000],
    ['<li>x', 1000],
    ['<b><p>', 500],
    ['</p>', 2500],
    ['<table>', 500],
    ['<script>', 1250],
  ])('takes many %j in linear time', (piece, count) => {
    expect(growthOf((size) => void markdown(piece.repeat(size)), count)).toBeLessThan(9)
  })

  test('takes unclosed formats in linear time', () => {
    expect(growthOf((size) => void markdown(unclosedFormats(size)), 500)).toBeLessThan(9)
  })
})
