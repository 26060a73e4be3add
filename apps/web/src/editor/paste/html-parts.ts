const junk =
  'script,style,meta,link,title,base,xml,template,noscript,iframe,frame,object,embed,applet,svg,canvas,audio,video,' +
  'select,textarea,button,dialog,map,area,col,colgroup'

/** Removes an element and keeps its children. */
export function unwrap(element: Element): void {
  element.replaceWith(...element.childNodes)
}

/** Replaces an element by a new one of this name with the same children; returns the new one. */
export function rename(element: Element, name: string): HTMLElement {
  // In the page's own document the browser would fetch an image and run an event handler.
  const other = element.ownerDocument.createElement(name)
  for (const { name: attribute, value } of element.attributes) other.setAttribute(attribute, value)
  other.append(...element.childNodes)
  element.replaceWith(other)
  return other
}

/** Whether a `font-weight` is bold. */
export function isBold(weight: string): boolean {
  return weight === 'bold' || weight === 'bolder' || Number(weight) >= 600
}

/** Puts an element of this name around the content of another. */
export function wrapContent(element: Element, name: string): void {
  const wrapper = element.ownerDocument.createElement(name)
  wrapper.append(...element.childNodes)
  element.append(wrapper)
}

/** Removes comments, non-text elements, and Word's own elements. */
export function dropJunk(body: HTMLElement): void {
  const comments: ChildNode[] = []
  const walker = body.ownerDocument.createTreeWalker(body, NodeFilter.SHOW_COMMENT)
  while (walker.nextNode()) comments.push(walker.currentNode as ChildNode)
  for (const comment of comments) comment.remove()
  for (const element of body.querySelectorAll(junk)) element.remove()
  for (const element of [...body.querySelectorAll('*')].reverse()) {
    if (element.tagName.includes(':') || element.tagName === 'FONT' || element.tagName === 'CENTER') unwrap(element)
  }
}

/** Removes text that was invisible at its source: hidden text could give an agent instructions that no user sees. */
export function dropHidden(body: HTMLElement): void {
  for (const element of body.querySelectorAll<HTMLElement>('*')) {
    const { display, visibility, opacity, fontSize } = element.style
    const isHidden = display === 'none' || visibility === 'hidden' || opacity === '0' || /^0(?:\D|$)/.test(fontSize)
    const isWords = /mso-hide:\s*all/i.test(element.getAttribute('style') ?? '')
    const isDecoration = element.getAttribute('aria-hidden') === 'true' && element.tagName !== 'IMG'
    if (isHidden || isWords || isDecoration || element.hidden) element.remove()
  }
  for (const image of body.querySelectorAll('img')) {
    const isPixel = [image.getAttribute('width'), image.getAttribute('height')].some((side) =>
      /^[01]$/.test(side ?? ''),
    )
    // Keeps only images on the web, which other users can load: no local files, and no addresses with code.
    if (isPixel || !/^(?:https?:\/\/|\/(?!\/))/i.test(image.getAttribute('src') ?? '')) image.remove()
  }
}

const known: Record<string, readonly string[]> = {
  A: ['href', 'title'],
  IMG: ['src', 'alt', 'title', 'width', 'data-href', 'data-align'],
  OL: ['start'],
  TD: ['colspan', 'rowspan', 'colwidth', 'align'],
  TH: ['colspan', 'rowspan', 'colwidth', 'align'],
  UL: ['data-type'],
  LI: ['data-type', 'data-checked'],
  SPAN: ['data-type', 'data-latex'],
  DIV: ['data-type', 'data-latex'],
}

/**
 * Removes every attribute that the schema doesn't read: ids, classes, colours, handlers, and marks of comments and
 * suggestions.
 */
export function keepOnlyKnownAttributes(body: HTMLElement): void {
  for (const cell of body.querySelectorAll<HTMLElement>('td,th')) {
    const align = cell.style.textAlign
    if (align === 'center' || align === 'right') cell.setAttribute('align', align)
  }
  for (const element of body.querySelectorAll('*')) {
    const kept = known[element.tagName] ?? []
    for (const name of element.getAttributeNames()) {
      const value = element.getAttribute(name) ?? ''
      const isLanguage = element.tagName === 'CODE' && name === 'class' && /^language-[\w+#-]+$/.test(value)
      if (!kept.includes(name) && !isLanguage && name !== 'data-pm-slice') element.removeAttribute(name)
    }
  }
}
