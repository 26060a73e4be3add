const lineEnding = /\r\n|\r|\n/

/**
 * Returns the text without trailing spaces and tabs. A regular expression would be quadratic: it scans each run of
 * blanks once for every character of it.
 */
export function trimBlanksAtEnd(text: string): string {
  let length = text.length
  while (length > 0 && isBlank(text.charCodeAt(length - 1))) length -= 1
  return text.slice(0, length)
}

/** Joins the lines of a text: each line ending, with the spaces and tabs around it, becomes one space. */
export function joinLines(text: string): string {
  const lines = text.split(lineEnding)
  if (lines.length === 1) return text
  return lines
    .map((line, index) => {
      const start = index > 0 ? line.replace(/^[ \t]+/, '') : line
      return index < lines.length - 1 ? trimBlanksAtEnd(start) : start
    })
    .join(' ')
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09
}
