import { captionLink } from '@copydesk/schema'
import { dropHidden, dropJunk, isBold, keepOnlyKnownAttributes, unwrap, wrapContent } from './html-parts.ts'
import { readCells, readHeadings, readSheetStyles } from './table-html.ts'
import { readWordLists, readWordParagraphs } from './word-html.ts'

/**
 * Reduces HTML from other programs to its structure: headings, lists, tables, code, links, and bold, italic, underlined
 * and struck text, also if only a style marks it. Removes colours, fonts, ids, comments, hidden text and all parts of a
 * page that aren't text. The schema parses the result and drops unknown content.
 */
export function cleanHtml(html: string): string {
  const page = new DOMParser().parseFromString(html, 'text/html')
  const { body } = page
  readFormulas(body)
  readSheetStyles(body, page)
  // Word marks the bullets of its lists with conditional comments, which this step still needs.
  readWordLists(body)
  dropJunk(body)
  dropHidden(body)
  readWordParagraphs(body)
  readTasks(body)
  joinNestedLists(body)
  readCode(body)
  readCells(body)
  readStyles(body)
  readHeadings(body)
  readLinks(body)
  readFigures(body)
  dropBlankBlocks(body)
  keepOnlyKnownAttributes(body)
  return body.innerHTML
}

const monospace = /consolas|courier|menlo|monaco|monospace|source code|fira code|jetbrains/i

/** Code editors copy lines as boxes in a monospaced font. */
function readCode(body: HTMLElement): void {
  for (const box of body.querySelectorAll<HTMLElement>('div[style]')) {
    const { whiteSpace, fontFamily } = box.style
    if (!whiteSpace.startsWith('pre') || !monospace.test(fontFamily) || !body.contains(box)) continue
    const lines = [...box.children].every(({ tagName }) => tagName === 'DIV' || tagName === 'BR')
    const text = lines ? [...box.children].map(({ textContent }) => textContent).join('\n') : box.textContent
    box.replaceWith(createCode(body.ownerDocument, text, ''))
  }
  for (const pre of body.querySelectorAll('pre')) {
    for (const line of pre.querySelectorAll('br')) line.replaceWith('\n')
    pre.replaceWith(createCode(body.ownerDocument, pre.textContent.replace(/\n$/, ''), languageOf(pre)))
  }
}

function createCode(document: Document, text: string, language: string): HTMLElement {
  const pre = document.createElement('pre')
  const code = pre.appendChild(document.createElement('code'))
  if (language) code.className = `language-${language}`
  code.textContent = text
  return pre
}

function languageOf(pre: Element): string {
  const around = [pre, pre.firstElementChild, pre.parentElement].filter((each) => each !== null)
  const names = around.map((each) => `${each.className} ${each.getAttribute('data-lang') ?? ''}`).join(' ')
  const named = /(?:^|\s)(?:lang(?:uage)?-|highlight-source-|brush:\s*)([\w+#-]{1,30})/.exec(names)?.[1]
  return named ?? pre.getAttribute('data-lang') ?? ''
}

/** The caption of a figure of one image is that image's title. */
function readFigures(body: HTMLElement): void {
  for (const figure of body.querySelectorAll('figure')) {
    const [image, more] = figure.querySelectorAll('img')
    const caption = figure.querySelector('figcaption')
    for (const link of caption?.querySelectorAll('a') ?? []) {
      link.replaceWith(captionLink(link.textContent, link.getAttribute('href') ?? ''))
    }
    const words = (caption?.textContent ?? '').replace(/\s+/g, ' ').trim()
    if (!image || more || words === '') continue
    image.title = words
    caption?.remove()
  }
}

/** Search engines and mail programs wrap links in their own redirect addresses. */
function readLinks(body: HTMLElement): void {
  for (const link of body.querySelectorAll('a')) {
    const target = withoutRedirect(link.getAttribute('href') ?? '')
    if (target === '' || target.startsWith('#') || link.textContent.trim() === '') unwrap(link)
    else link.setAttribute('href', target)
  }
}

function withoutRedirect(href: string): string {
  const url = URL.parse(href)
  const isGoogle = url?.pathname === '/url' && /^www\.google\.[a-z.]+$/.test(url.hostname)
  return (isGoogle && (url.searchParams.get('q') ?? url.searchParams.get('url'))) || href
}

const blocks = 'p,h1,h2,h3,h4,h5,h6,ul,ol,table,blockquote,pre,div'

function dropBlankBlocks(body: HTMLElement): void {
  for (const block of body.querySelectorAll('p,h1,h2,h3,h4,h5,h6')) {
    const isBlank = block.textContent.trim() === '' && !block.querySelector('img,[data-type]')
    // In a cell or an item an empty paragraph is its content.
    if (isBlank && !block.closest('td,th,li')) block.remove()
  }
  // Between blocks a line break is only spacing.
  for (const line of body.querySelectorAll('br')) {
    const beside = [line.previousElementSibling, line.nextElementSibling]
    const isApple = line.className === 'Apple-interchange-newline'
    if (isApple || beside.some((each) => each?.matches(blocks) === true)) line.remove()
  }
}

/** Google Docs and older pages put a nested list next to its item: moves it into the preceding item. */
function joinNestedLists(body: HTMLElement): void {
  for (const list of body.querySelectorAll('ul > ul, ul > ol, ol > ul, ol > ol')) {
    const before = list.previousElementSibling
    if (before?.tagName === 'LI') {
      before.append(list)
      continue
    }
    const item = body.ownerDocument.createElement('li')
    list.replaceWith(item)
    item.append(list)
  }
}

/**
 * Check lists of Google Docs, GitHub and Notion: items with a checkbox become tasks, if all of a list's items have one.
 */
function readTasks(body: HTMLElement): void {
  for (const list of body.querySelectorAll('ul')) {
    const items = [...list.children].filter(({ tagName }) => tagName === 'LI')
    const states = items.map(checkedState)
    if (items.length > 0 && states.every((state) => state !== undefined)) {
      list.setAttribute('data-type', 'taskList')
      items.forEach((item, index) => {
        item.setAttribute('data-type', 'taskItem')
        item.setAttribute('data-checked', String(states[index]))
      })
    }
  }
  for (const box of body.querySelectorAll('input')) box.remove()
}

function checkedState(item: Element): boolean | undefined {
  if (item.getAttribute('role') === 'checkbox') return item.getAttribute('aria-checked') === 'true'
  if (item.getAttribute('data-type') === 'taskItem') return item.getAttribute('data-checked') === 'true'
  const box = item.querySelector('input[type="checkbox"]')
  return box && box.closest('li') === item ? box.hasAttribute('checked') : undefined
}

const inline = 'span,b,strong,i,em,u,s,del,ins,strike,a,sub,sup,mark,small,big,label,abbr,cite,code'

/** Converts inline text styles to elements, and unwraps elements whose style contradicts their name. */
function readStyles(body: HTMLElement): void {
  for (const element of [...body.querySelectorAll<HTMLElement>(inline)].reverse()) {
    const { fontWeight, fontStyle, textDecoration, textDecorationLine } = element.style
    const line = `${textDecoration} ${textDecorationLine}`
    const isHeading = element.closest('h1,h2,h3,h4,h5,h6') !== null
    const wraps = [
      isBold(fontWeight) && !isHeading ? 'strong' : '',
      fontStyle === 'italic' || fontStyle === 'oblique' ? 'em' : '',
      line.includes('line-through') ? 's' : '',
      line.includes('underline') && !element.closest('a') && !element.querySelector('a') ? 'u' : '',
    ].filter((name) => name !== '' && !element.matches(name))
    for (const name of wraps) wrapContent(element, name)
    const isPlain =
      (element.matches('b,strong') && fontWeight !== '' && !isBold(fontWeight)) ||
      (element.matches('i,em') && fontStyle === 'normal') ||
      element.matches('mark,ins,label,small,big')
    if (isPlain) unwrap(element)
  }
  // A heading is bold by default.
  for (const bold of body.querySelectorAll(':is(h1,h2,h3,h4,h5,h6) :is(b,strong)')) unwrap(bold)
  // Unwraps the remaining spans, which contain only colours or positions.
  for (const span of [...body.querySelectorAll('span:not([data-type])')].reverse()) unwrap(span)
}

/** Formulas of KaTeX, MathJax and Wikipedia contain their source; keeps only that. */
function readFormulas(body: HTMLElement): void {
  for (const source of body.querySelectorAll('annotation[encoding="application/x-tex"]')) {
    const drawn = source.closest('.katex-display, .katex, .mwe-math-element, mjx-container') ?? source.closest('math')
    const latex = (source.textContent ?? '').trim().replace(/^\{\\(?:displaystyle|textstyle) ([^]*)\}$/, '$1')
    const isBlock = drawn?.matches('.katex-display') === true || drawn?.getAttribute('display') === 'block'
    if (!drawn || latex === '') continue
    const formula = body.ownerDocument.createElement(isBlock ? 'div' : 'span')
    formula.setAttribute('data-type', isBlock ? 'block-math' : 'inline-math')
    formula.setAttribute('data-latex', latex)
    formula.textContent = latex
    drawn.replaceWith(formula)
  }
}
