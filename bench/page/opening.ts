/** Records when a document can be read and edited; runs in the page before its own scripts. Times in milliseconds. */
type Moments = { text?: number; formulas?: number; editable?: number }

const moments: Moments = {}
const isComplete = (): boolean => Object.keys(moments).length === 3
Object.assign(globalThis, { moments, isComplete })

let isSeen = false

/** Calls back when the frame that is being made is laid out and painted: words that wait for that can't be read. */
function afterThisFrame(action: () => void): void {
  const { port1, port2 } = new MessageChannel()
  port1.onmessage = action
  port2.postMessage(null)
}

function isInWindow(element: Element): boolean {
  const { top, bottom } = element.getBoundingClientRect()
  return top < innerHeight && bottom > 0
}

function look(): void {
  const editor = document.querySelector('.ProseMirror')
  const now = performance.now()
  // The first blocks of a long text are shown before its editor.
  if (!isSeen && document.querySelector('.document-text')?.textContent.includes('THE FIRST WORDS')) {
    isSeen = true
    afterThisFrame(() => (moments.text = performance.now()))
  }
  if (editor?.textContent.includes('THE FIRST WORDS')) {
    const seen = [...editor.querySelectorAll('.math-block')].filter(isInWindow)
    if (seen.every((element) => element.querySelector('.katex'))) moments.formulas ??= now
    if (editor.getAttribute('contenteditable') === 'true') moments.editable ??= now
  }
  if (!isComplete()) requestAnimationFrame(look)
}
requestAnimationFrame(look)
