/**
 * Writes text to the clipboard; resolves to whether that worked. In an insecure context falls back to the older API.
 */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyBySelection(text)
  }
}

function copyBySelection(text: string): boolean {
  const before = document.activeElement
  // A dialog takes the focus back from elements outside of it.
  const around = before?.closest('[role=dialog]') ?? document.body
  const field = around.appendChild(document.createElement('textarea'))
  field.value = text
  field.style.cssText = 'position: fixed; opacity: 0'
  field.select()
  const isCopied = document.execCommand('copy')
  field.remove()
  if (before instanceof HTMLElement) before.focus({ preventScroll: true })
  return isCopied
}
