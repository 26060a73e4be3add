import { readFileSync } from 'node:fs'
import type { Node } from 'prosemirror-model'
import { describe, expect, test } from 'vitest'
import { schema } from '../extensions.ts'
import {
  parseInlineMarkdown,
  parseMarkdown,
  parseMarkdownFragment,
  serializeBlock,
  serializeInline,
  serializeMarkdown,
} from './index.ts'

// markdown → document (as ProseMirror prints it) → markdown; `written` is null where it equals the input.
const constructs: [name: string, markdown: string, document: string, written: string | null][] = [
  ['headings', '# a\n\n###### b', 'heading("a"), heading("b")', null],
  ['setext headings', 'a\n=\n\nb\n-', 'heading("a"), heading("b")', '# a\n\n## b'],
  ['soft breaks', 'a\n  b', 'paragraph("a b")', 'a b'],
  ['nested marks', '**a *b* c**', 'paragraph(bold("a "), bold(italic("b")), bold(" c"))', null],
  ['strike', '~~a~~', 'paragraph(strike("a"))', null],
  ['underline', '<u>a **b**</u>', 'paragraph(underline("a "), bold(underline("b")))', null],
  [
    'highlight',
    '<mark>a</mark> <mark data-color="#ff0">b</mark>',
    'paragraph(highlight("a"), " ", highlight("b"))',
    null,
  ],
  ['unclosed underline', '<u>a', 'paragraph("<u>a")', '\\<u>a'],
  ['code with marks', '**`a`**', 'paragraph(bold(code("a")))', null],
  ['a link with a title', '[a](/b "c")', 'paragraph(link("a"))', null],
  ['a reference link', '[a][b]\n\n[b]: /c "d"', 'paragraph(link("a"))', '[a](/c "d")'],
  ['an unused definition', '[b]: /c', 'paragraph("[b]: /c")', '\\[b]: /c'],
  ['a bare address', 'https://a.b', 'paragraph(link("https://a.b"))', '<https://a.b>'],
  ['an escaped address', 'https\\://a.b', 'paragraph("https://a.b")', null],
  ['an odd e-mail address', '_A_@_.A', 'paragraph(link("_A_@_.A"))', '[\\_A\\_@\\_.A](mailto:_A_@_.A)'],
  ['an unsafe link', '[a](javascript:b)', 'paragraph("a")', 'a'],
  ['an unsafe image', '![a](data:b)', 'paragraph("a")', 'a'],
  [
    'a bullet list',
    '- a\n  - b\n- c',
    'bulletList(listItem(paragraph("a"), bulletList(listItem(paragraph("b")))), listItem(paragraph("c")))',
    null,
  ],
  ['a numbered list', '3. a\n4. b', 'orderedList(listItem(paragraph("a")), listItem(paragraph("b")))', null],
  ['an empty item', '-\n- a', 'bulletList(listItem(paragraph), listItem(paragraph("a")))', null],
  ['an item without text', '- # a', 'bulletList(listItem(paragraph, heading("a")))', null],
  ['tasks', '- [ ] a\n- [x] b', 'taskList(taskItem(paragraph("a")), taskItem(paragraph("b")))', null],
  ['an image as a task', '- [ ] ![a](/b)', 'taskList(taskItem(paragraph, image))', null],
  [
    'tasks among items',
    '- [x] a\n- b',
    'taskList(taskItem(paragraph("a"))), bulletList(listItem(paragraph("b")))',
    '- [x] a\n\n* b',
  ],
  ['a numbered task', '1. [x] a', 'orderedList(listItem(paragraph("[x] a")))', null],
  ['a quote', '> a\n>\n> > b', 'blockquote(paragraph("a"), blockquote(paragraph("b")))', null],
  ['an empty quote', '>', 'blockquote(paragraph)', null],
  ['code with an info string', '```js a="b" {1}\nc\n```', 'codeBlock("c")', null],
  ['indented code', '    a\n\n    b', 'codeBlock("a\\n\\nb")', '```\na\n\nb\n```'],
  ['code with fences', '````\n```\n````', 'codeBlock("```")', null],
  ['a rule', 'a\n\n---', 'paragraph("a"), horizontalRule', 'a\n\n***'],
  ['a break', 'a  \nb', 'paragraph("a", hardBreak, "b")', 'a\\\nb'],
  ['a break at the end', 'a<br>', 'paragraph("a", hardBreak)', null],
  ['a break in a heading', '## a<br>b', 'heading("a", hardBreak, "b")', null],
  ['an image in a paragraph', 'a ![b](/c "d") e', 'paragraph("a"), image, paragraph("e")', 'a\n\n![b](/c "d")\n\ne'],
  ['an image in a heading', '# ![b](/c) e', 'image, heading("e")', '![b](/c)\n\n# e'],
  ['an image in a link', '[![a](/b)](/c)', 'image', null],
  ['an image with a width', '<img src="/b" alt="a" title="c &amp; &quot;d&quot;" width="300">', 'image', null],
  ['an image as wide as the text', '<img src="/b" alt="" width="100%" align="center">', 'image', null],
  ['an image with a width in a link', '[<img src="/b" alt="a" width="300">](/c)', 'image', null],
  [
    'an image with a width as a task',
    '- [ ] <img src="/b" alt="a" width="30">',
    'taskList(taskItem(paragraph, image))',
    null,
  ],
  [
    'an image with a width in a line',
    'a <img align="right" src="/b" width="30px"> c',
    'paragraph("a"), image, paragraph("c")',
    'a\n\n<img src="/b" alt="" width="30" align="right">\n\nc',
  ],
  [
    'an image tag that says more than an image keeps',
    '<img src="/b" width="30" class="c">',
    String.raw`paragraph("<img src=\"/b\" width=\"30\" class=\"c\">")`,
    '\\<img src="/b" width="30" class="c">',
  ],
  [
    'an unsafe image tag',
    '<img src="data:b" width="9">',
    String.raw`paragraph("<img src=\"data:b\" width=\"9\">")`,
    '\\<img src="data:b" width="9">',
  ],
  ['a reference image', '![a][b]\n\n[b]: /c', 'image', '![a](/c)'],
  [
    'a table',
    '| a | b |\n| :-: | - |\n| c \\| d | |',
    'table(tableRow(tableHeader(paragraph("a")), tableHeader(paragraph("b"))), tableRow(tableCell(paragraph("c | d")), tableCell(paragraph)))',
    '| a | b |\n| :-: | - |\n| c \\| d | |',
  ],
  [
    'a ragged table',
    '| a |\n| - |\n| b | c |',
    'table(tableRow(tableHeader(paragraph("a")), tableHeader(paragraph)), tableRow(tableCell(paragraph("b")), tableCell(paragraph("c"))))',
    '| a | |\n| - | - |\n| b | c |',
  ],
  ['a formula in a table', '| $\\|a\\|$ |\n| - |', 'table(tableRow(tableHeader(paragraph(inlineMath))))', null],
  ['inline math', 'a $b_1$ c', 'paragraph("a ", inlineMath, " c")', null],
  ['prices', '$5 and $6', 'paragraph("$5 and $6")', '\\$5 and \\$6'],
  ['block math', '$$\na\n$$', 'blockMath', null],
  ['block math on one line', '$$a$$', 'blockMath', '$$\na\n$$'],
  ['inline HTML', 'a <b>c</b> <!-- d -->', 'paragraph("a <b>c</b> <!-- d -->")', 'a \\<b>c\\</b> \\<!-- d -->'],
  [
    'block HTML',
    '<div>\n  <p>a</p>\n</div>',
    'paragraph("<div>", hardBreak, "  <p>a</p>", hardBreak, "</div>")',
    '\\<div>\\\n&#x20; \\<p>a\\</p>\\\n\\</div>',
  ],
  ['MDX', '<A b={c}>\n\nd {e}', 'paragraph("<A b={c}>"), paragraph("d {e}")', '\\<A b={c}>\n\nd {e}'],
  ['footnotes', 'a[^1]\n\n[^1]: Note *b*', 'paragraph("a[^1]"), paragraph("[^1]: Note ", italic("b"))', null],
  [
    'a footnote of a list',
    '[^1]: - a',
    'paragraph("[^1]: "), bulletList(listItem(paragraph("a")))',
    '\\[^1]:&#x20;\n\n- a',
  ],
  [
    'readable plain text',
    'snake_case a * b 1.5 [x] ok #tag AT&T 5 < 6',
    'paragraph("snake_case a * b 1.5 [x] ok #tag AT&T 5 < 6")',
    null,
  ],
]

function parse(markdown: string): Node {
  const { doc } = parseMarkdown(markdown)
  doc.check()
  return doc
}

test.each(constructs)('%s', (_name, markdown, document, written) => {
  const doc = parse(markdown)
  expect(doc.toString()).toBe(`doc(${document})`)
  const first = serializeMarkdown(doc)
  expect(first).toBe(`${written ?? markdown}\n`)
  expect(serializeMarkdown(parse(first))).toBe(first)
})

test('a fixture with every construct is byte-stable and loses nothing', () => {
  const source = readFileSync(new URL('../../fixtures/every-construct.md', import.meta.url), 'utf8')
  const read = parseMarkdown(source)
  read.doc.check()
  const first = serializeMarkdown(read.doc, read.frontmatter)
  const again = parseMarkdown(first)
  expect(serializeMarkdown(again.doc, again.frontmatter)).toBe(first)
  expect(again.doc.eq(read.doc)).toBe(true)
  expect(read).toMatchObject({ title: 'Every construct', frontmatter: 'title: "Every construct"\ntags: [a, b]' })
  const found = new Set<string>()
  read.doc.descendants((node) => {
    found.add(node.type.name)
    for (const mark of node.marks) found.add(mark.type.name)
  })
  const reviewed = ['doc', 'mention', 'comment', 'insertion', 'deletion', 'formattingChange']
  const all = [...Object.keys(schema.nodes), ...Object.keys(schema.marks)].filter((name) => !reviewed.includes(name))
  expect([...found].toSorted()).toEqual(all.toSorted())
})

describe('attributes', () => {
  const attributes = (markdown: string) => parse(markdown).firstChild?.attrs

  test('are read from their constructs', () => {
    expect(attributes('```js a="b" {1}\nc\n```')).toMatchObject({ language: 'js a="b" {1}' })
    expect(attributes('7. a')).toMatchObject({ start: 7 })
    expect(attributes('![a](/b "c")')).toMatchObject({ src: '/b', alt: 'a', title: 'c', href: null })
    expect(attributes('[![a](/b)](/c)')).toMatchObject({ src: '/b', href: '/c' })
    expect(attributes('[![a](/b)](javascript:c)')).toMatchObject({ src: '/b', href: null })
    expect(attributes('$$\na\n$$')).toMatchObject({ latex: 'a' })
    const cells = parse('| a | b |\n| :- | -: |').firstChild?.firstChild
    expect(cells?.children.map((cell) => cell.attrs.align)).toEqual(['left', 'right'])
  })
})

describe('frontmatter and title', () => {
  test('frontmatter comes back verbatim, whatever its line endings', () => {
    for (const yaml of ['a: 1', 'a: 1\r\nb:   2  # c', '', '# only', 'a: "—"\n\n\nb: 2']) {
      const { doc, frontmatter } = parseMarkdown(`---\n${yaml}${yaml ? '\n' : ''}---\n\n# T\n`)
      expect(frontmatter).toBe(yaml)
      expect(doc.textContent).toBe('T')
      expect(parseMarkdown(serializeMarkdown(doc, frontmatter)).frontmatter).toBe(yaml)
    }
  })

  test('a rule at the start is no frontmatter, also on the way back', () => {
    const { doc, frontmatter } = parseMarkdown('---\n\na')
    expect(frontmatter).toBeNull()
    expect(serializeMarkdown(doc, frontmatter)).toBe('***\n\na\n')
  })

  test('the title is the first h1, which stays in the text', () => {
    expect(parseMarkdown('## a\n\n> # *b* c\n\n# d')).toMatchObject({ title: 'b c' })
    expect(parseMarkdown('a')).toMatchObject({ title: null })
    expect(parseMarkdown('# a').doc.textContent).toBe('a')
  })

  test('a byte order mark is no text', () => {
    expect(parseMarkdown('\uFEFF# a')).toMatchObject({ title: 'a' })
  })
})

describe('fragments', () => {
  test('blocks are read without a document around them', () => {
    expect(parseMarkdownFragment('a\n\n- b').toString()).toBe('<paragraph("a"), bulletList(listItem(paragraph("b")))>')
    expect(parseMarkdownFragment('').size).toBe(0)
  })

  test.each([' a ', 'a **b**', '  ', '', '*a* ', '\ta'])('%j is inline content and comes back', (markdown) => {
    const inline = parseInlineMarkdown(markdown)
    expect(inline && serializeInline(inline)).toBe(markdown)
  })

  test.each(['# a', 'a\n\nb', '- a', '> a', '![a](/b)', '```\na\n```', '1. a', '---'])(
    '%j is no inline content',
    (markdown) => {
      expect(parseInlineMarkdown(markdown)).toBeNull()
    },
  )

  test('one block is written without a line feed, parts of lists and tables inside their like', () => {
    const item = parse('- [x] a').firstChild?.firstChild
    const row = parse('| a | b |\n| - | - |').firstChild?.firstChild
    expect(item && serializeBlock(item)).toBe('- [x] a')
    expect(row && serializeBlock(row)).toBe('| a | b |\n| - | - |')
    expect(serializeBlock(schema.node('paragraph'))).toBe('')
  })
})

describe('what only a document can hold', () => {
  const written = (...blocks: Node[]) => serializeMarkdown(schema.node('doc', null, blocks))
  const paragraph = (...content: Node[]) => schema.node('paragraph', null, content)

  test('a mention is written as its label', () => {
    const mention = schema.node('mention', { id: 'u1', label: 'Ann_B *', kind: 'person' })
    expect(written(paragraph(mention, schema.text(' hi')))).toBe('@Ann_B * hi\n')
  })

  test('spaces at the edge of a marked run move out of it', () => {
    const bold = schema.text(' a ', [schema.mark('bold')])
    expect(written(paragraph(schema.text('x'), bold, schema.text('y')))).toBe('x **a** y\n')
  })

  test('blocks in a cell become lines of valid GFM', () => {
    const blocks = parse('a | b\n\n- c\n- d\n\n1. e\n\n- [x] f\n\n```\ng\n\nh|i\n```\n\n> j\n\n$$\nk|l\n$$\n\n![m](/n)')
    const cell = schema.node('tableCell', null, blocks.content)
    const table = schema.node('table', null, schema.node('tableRow', null, cell))
    const markdown = written(table)
    expect(markdown).toBe(
      '| a \\| b<br>• c<br>• d<br>1. e<br>☑ f<br>`g`<br>`h\\|i`<br>j<br>$k\\|l$ ![m](/n) |\n| - |\n',
    )
    expect(serializeMarkdown(parse(markdown))).toBe(markdown)
  })

  test('merged cells keep the columns of the others', () => {
    const cell = (text: string, more?: object) => schema.node('tableCell', { ...more }, paragraph(schema.text(text)))
    const row = (...cells: Node[]) => schema.node('tableRow', null, cells)
    const table = schema.node('table', null, [
      row(cell('a', { rowspan: 2 }), cell('b', { colspan: 2 })),
      row(cell('c'), cell('d')),
    ])
    expect(written(table)).toBe('| a | b | |\n| - | - | - |\n| | c | d |\n')
  })

  test('unsafe addresses that a peer has stored are not written', () => {
    const link = schema.text('a', [schema.mark('link', { href: 'javascript:b' })])
    const image = schema.node('image', { src: 'javascript:c', alt: 'd' })
    expect(written(paragraph(link), image)).toBe('a\n\nd\n')
  })

  test('a caption is the title of its image, and its width stays in a cell', () => {
    const image = schema.node('image', { src: '/b', alt: 'a|"<', title: "Ada's\ncat", width: 30, align: 'center' })
    const cell = schema.node('tableCell', null, image)
    const table = schema.node('table', null, schema.node('tableRow', null, cell))
    const tag = '<img src="/b" alt="a&#124;&quot;&lt;" title="Ada&#39;s cat" width="30" align="center">'
    const markdown = written(table, image)
    expect(markdown).toBe(`| ${tag} |\n| - |\n\n${tag}\n`)
    expect(serializeMarkdown(parse(markdown))).toBe(markdown)
    expect(parse(markdown).lastChild?.attrs).toMatchObject({ alt: 'a|"<', title: "Ada's cat", width: 30 })
  })

  test('attributes of the wrong type do no harm', () => {
    const heading = schema.node('heading', { level: 'x' }, schema.text('a'))
    const code = schema.node('codeBlock', { language: { a: 1 } }, schema.text('b'))
    const link = schema.text('c', [schema.mark('link', { href: { a: 1 }, title: [] })])
    const image = schema.node('image', { src: '/d', alt: {}, width: { a: 1 }, align: '"><script>' })
    expect(written(heading, code, paragraph(link), image)).toBe('# a\n\n```\nb\n```\n\nc\n\n![](/d)\n')
  })

  test('nesting deeper than the stack is written as bare text', () => {
    let block = paragraph(schema.text('deep'))
    for (let depth = 0; depth < 5000; depth++) block = schema.node('blockquote', null, block)
    expect(written(block)).toContain('deep')
  })
})
