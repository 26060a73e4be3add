import { Readability } from '@mozilla/readability'
import { parseHTML } from 'linkedom'
import { parse, serialize } from 'parse5'
import rehypeParse from 'rehype-parse'
import rehypeRemark from 'rehype-remark'
import remarkGfm from 'remark-gfm'
import remarkStringify from 'remark-stringify'
import { unified } from 'unified'

type Page = ReturnType<typeof parseHTML>['document']

// A page with more elements is a list or an attack; its text is used without Readability.
const mostElements = 30_000

const converter = unified()
  .use(rehypeParse, { fragment: true })
  .use(rehypeRemark)
  .use(remarkGfm)
  .use(remarkStringify, { bullet: '-', fences: true })
  .freeze()

/** The title of an HTML page and its main text as markdown, with absolute link addresses. Runs no scripts. */
export function readPageText(html: string, url: string): { title: string; text: string } {
  // linkedom finds the body only if its tags are present. Browsers add them; so does parse5.
  const { document } = parseHTML(serialize(parse(html)))
  setBase(document, url)
  for (const each of document.querySelectorAll('script, style, template, img[src^="data:"]')) each.remove()
  const title = document.title
  const whole = document.body?.innerHTML ?? ''
  const article = readArticle(document)
  const text = String(converter.processSync(article?.content || whole)).trim()
  return { title: (article?.title || title).trim(), text }
}

function readArticle(document: Page): { title?: string | null; content?: string | null } | undefined {
  try {
    return new Readability(document, { maxElemsToParse: mostElements }).parse() ?? undefined
  } catch {
    return undefined
  }
}

// Readability resolves relative links against this address.
function setBase(document: Page, url: string): void {
  const given = document.querySelector('base[href]')
  const href = given?.getAttribute('href') ?? ''
  given?.remove()
  const base = document.createElement('base')
  base.setAttribute('href', URL.canParse(href, url) ? new URL(href, url).href : url)
  document.head?.prepend(base)
}
