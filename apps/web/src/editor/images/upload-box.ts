/** The placeholder of an image that is being uploaded. */
export type UploadBox = {
  readonly dom: HTMLElement
  showProgress(part: number): void
  showProblem(text: string): void
  /** Frees the preview's object URL; may be called twice. */
  close(): void
}

type BoxActions = { onCancel: () => void; onRetry: () => void }

/**
 * Draws the image itself as soon as its file is known, so that the layout doesn't change when the stored image replaces
 * it.
 */
export function createUploadBox(file: File, { onCancel, onRetry }: BoxActions): UploadBox {
  const source = URL.createObjectURL(file)
  const dom = create('div', 'upload-box')
  dom.contentEditable = 'false'
  dom.setAttribute('role', 'group')
  const preview = dom.appendChild(create('img', 'upload-preview'))
  Object.assign(preview, { src: source, alt: '' })
  const status = dom.appendChild(create('div', 'upload-status'))
  const words = status.appendChild(create('span', 'upload-words'))
  const bar = status.appendChild(create('progress', 'upload-bar'))
  bar.max = 1
  bar.setAttribute('aria-label', `Sending ${file.name}`)
  const retry = status.appendChild(createButton('Try again', onRetry))
  const cancel = status.appendChild(createButton('Cancel', onCancel))
  const show = (isFailed: boolean, text: string) => {
    dom.dataset.failed = String(isFailed)
    dom.setAttribute('aria-label', isFailed ? `Image not added: ${file.name}` : `Adding image: ${file.name}`)
    words.textContent = text
    words.setAttribute('role', isFailed ? 'alert' : 'presentation')
    bar.hidden = isFailed
    retry.hidden = !isFailed
    cancel.textContent = isFailed ? 'Remove' : 'Cancel'
  }
  show(false, file.name)
  return {
    dom,
    showProgress(part) {
      if (dom.dataset.failed === 'true') show(false, file.name)
      bar.value = part
    },
    showProblem: (text) => show(true, text),
    close: () => URL.revokeObjectURL(source),
  }
}

function create<Name extends keyof HTMLElementTagNameMap>(name: Name, className: string): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name)
  element.className = className
  return element
}

function createButton(text: string, press: () => void): HTMLButtonElement {
  const button = create('button', 'upload-button')
  button.type = 'button'
  button.textContent = text
  button.addEventListener('mousedown', (event) => event.preventDefault())
  button.addEventListener('click', press)
  return button
}
