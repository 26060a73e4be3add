import { unwrap } from './html-parts.ts'

const inline = 'span,b,strong,i,em,u,s,del,ins,strike,a,sub,sup,mark,small,big,label,abbr,cite,code'

/** Converts inline text styles to elements, and unwraps elements whose style contradicts their name. */
export function readStyles(body: HTMLElement): void {
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
  // A heading is bold by itself.
  for (const bold of body.querySelectorAll(':is(h1,h2,h3,h4,h5,h6) :is(b,strong)')) unwrap(bold)
  // Unwraps the remaining spans, which carry only colours or positions.
  for (const span of [...body.querySelectorAll('span:not([data-type])')].reverse()) unwrap(span)
}

function isBold(weight: string): boolean {
  return weight === 'bold' || weight === 'bolder' || Number(weight) >= 600
}

function wrapContent(element: HTMLElement, name: string): void {
  const wrapper = element.ownerDocument.createElement(name)
  wrapper.append(...element.childNodes)
  element.append(wrapper)
}

/** Formulas of KaTeX, MathJax and Wikipedia contain their source; keeps only that. */
export function readFormulas(body: HTMLElement): void {
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
