/** Records when a document can be read and edited; runs in the page before its own scripts. Times in milliseconds. */
type Moments = { text?: number; formulas?: number; editable?: number }

const moments: Moments = {}
const isComplete = (): boolean => moments.formulas !== undefined && moments.editable !== undefined
Object.assign(globalThis, { moments, isComplete })

function isInWindow(element: Element): boolean {
  const { top, bottom } = element.getBoundingClientRect()
  return top < innerHeight && bottom > 0
}

function look(): void {
  const editor = document.querySelector('.ProseMirror')
  const now = performance.now()
  if (editor?.textContent.includes('THE FIRST WORDS')) {
    moments.text ??= now
    const seen = [...editor.querySelectorAll('.math-block')].filter(isInWindow)
    if (seen.every((element) => element.querySelector('.katex'))) moments.formulas ??= now
    if (editor.getAttribute('contenteditable') === 'true') moments.editable ??= now
  }
  if (!isComplete()) requestAnimationFrame(look)
}
requestAnimationFrame(look)
