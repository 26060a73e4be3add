/** Opens the browser's file chooser; resolves to the chosen files, none if it is closed. */
export function chooseFiles(accept: string): Promise<File[]> {
  const field = document.createElement('input')
  Object.assign(field, { type: 'file', multiple: true, accept })
  return new Promise((resolve) => {
    field.addEventListener('change', () => resolve([...(field.files ?? [])]))
    field.addEventListener('cancel', () => resolve([]))
    field.click()
  })
}
