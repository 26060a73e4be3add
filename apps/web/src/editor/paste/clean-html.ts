import { dropHidden, dropJunk, keepOnlyKnownAttributes, unwrap } from './html-parts.ts'
import { joinNestedLists, readTasks } from './html-lists.ts'
import { readFormulas, readStyles } from './html-styles.ts'
import { readWordLists, readWordParagraphs } from './word-html.ts'

/**
 * Reduces HTML from other programs to its structure: headings, lists, tables, code, links, and bold, italic, underlined
 * and struck text, also where only a style says so. Removes colours, fonts, ids, comments, hidden text and everything
 * in a page that isn't text. The schema parses the result and drops what it doesn't know.
 */
export function cleanHtml(html: string): string {
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  readFormulas(body)
  // Word marks the bullets of its lists with conditional comments, which this step still needs.
  readWordLists(body)
  dropJunk(body)
  dropHidden(body)
  readWordParagraphs(body)
  readTasks(body)
  joinNestedLists(body)
  readCode(body)
  readStyles(body)
  readLinks(body)
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

/** Search engines and mail programs wrap links in redirect addresses of their own. */
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
