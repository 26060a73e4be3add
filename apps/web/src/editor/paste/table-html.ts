import { isBold, rename, unwrap, wrapContent } from './html-parts.ts'

const sheetRule = /\.(xl\d+)\s*\{([^{}]*)\}/g
const sheetStyles = ['font-weight', 'font-style', 'text-decoration', 'text-align'] as const

/**
 * Excel defines the appearance of cells in a style sheet with a class for each style. Copies the relevant properties to
 * the cells.
 */
export function readSheetStyles(body: HTMLElement, document: Document): void {
  if (!body.querySelector('td[class*="xl"]')) return
  const looks = new Map<string, CSSStyleDeclaration>()
  for (const sheet of document.querySelectorAll('style')) {
    for (const [, name = '', rule = ''] of sheet.textContent.matchAll(sheetRule)) {
      const probe = document.createElement('i')
      probe.setAttribute('style', rule)
      looks.set(name, probe.style)
    }
  }
  for (const cell of body.querySelectorAll<HTMLElement>('td[class*="xl"]')) {
    const look = looks.get(cell.className.trim())
    for (const name of look ? sheetStyles : []) {
      if (cell.style.getPropertyValue(name) === '') cell.style.setProperty(name, look?.getPropertyValue(name) ?? '')
    }
  }
}

/**
 * Spreadsheets style whole cells, and Word aligns the paragraphs in them: converts both to formats of text and cells.
 */
export function readCells(body: HTMLElement): void {
  for (const cell of body.querySelectorAll<HTMLElement>('td,th')) {
    const { fontWeight, fontStyle, textDecoration, textDecorationLine } = cell.style
    const line = `${textDecoration} ${textDecorationLine}`
    if (cell.textContent.replace(/[\s\u00a0]+/g, '') === '' && !cell.querySelector('img,[data-type]')) {
      cell.replaceChildren()
      continue
    }
    if (isBold(fontWeight) && cell.tagName === 'TD') wrapContent(cell, 'strong')
    if (fontStyle === 'italic') wrapContent(cell, 'em')
    if (line.includes('line-through')) wrapContent(cell, 's')
    if (line.includes('underline') && !cell.querySelector('a')) wrapContent(cell, 'u')
    const blocks = [...cell.querySelectorAll<HTMLElement>('p')]
    const [align] = blocks.map((block) => block.style.textAlign || block.getAttribute('align') || '')
    if (cell.style.textAlign === '' && align && blocks.every((block) => alignOf(block) === align)) {
      cell.style.textAlign = align
    }
  }
}

function alignOf(block: HTMLElement): string {
  return block.style.textAlign || (block.getAttribute('align') ?? '')
}

/**
 * Makes the first row of a table its headings if the source marks it as such, or if only this row is bold. A table of a
 * single cell, as copied by Excel, is converted to the text in it.
 */
export function readHeadings(body: HTMLElement): void {
  for (const table of body.querySelectorAll('table')) {
    const rows = [...table.rows]
    const [first, ...others] = rows
    const cells = [...(first?.cells ?? [])]
    if (cells.length === 0) continue
    if (rows.length === 1 && cells.length === 1 && cells[0]) {
      table.replaceWith(...cells[0].childNodes)
      continue
    }
    const isMarked = table.tHead?.rows[0] === first
    const isBoldRow =
      others.length > 0 && cells.every(isBoldCell) && !others.some((row) => [...row.cells].every(isBoldCell))
    if (!isMarked && !isBoldRow) continue
    for (const cell of cells) {
      for (const bold of cell.querySelectorAll('b,strong')) unwrap(bold)
      if (cell.tagName === 'TD') rename(cell, 'th')
    }
  }
}

function isBoldCell(cell: HTMLElement): boolean {
  const walker = cell.ownerDocument.createTreeWalker(cell, NodeFilter.SHOW_TEXT)
  let holdsText = false
  while (walker.nextNode()) {
    const text = walker.currentNode
    if (text.textContent?.trim() === '') continue
    if (!text.parentElement?.closest('b,strong')) return false
    holdsText = true
  }
  return holdsText
}
