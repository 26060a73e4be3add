/** Saves a blob as a file under this name, as a browser download. */
export function saveFile(content: Blob, name: string): void {
  const address = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // Some browsers read the blob only after a while.
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}
