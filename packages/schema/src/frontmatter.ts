const bytesAtMost = 64 * 1024
const closingFence = /(^|[\r\n])---(?=[ \t]*(?:[\r\n]|$))/
const unfit = /\0|\p{Surrogate}/gu

/**
 * Whether a value may be a document's frontmatter: YAML without its fences, at most 64 KiB, in which no line of dashes
 * would end it early, and nothing that no text has (NUL, half of a surrogate pair).
 */
export function isFrontmatter(value: unknown): value is string {
  if (typeof value !== 'string' || value.length > bytesAtMost) return false
  if (closingFence.test(value) || value.search(unfit) >= 0) return false
  return new TextEncoder().encode(value).byteLength <= bytesAtMost
}

/**
 * Frontmatter as it can stand between fences: as it is where `isFrontmatter` says so, else with lines of dashes
 * indented and what no text has replaced.
 */
export function fencedFrontmatter(value: string): string {
  return value.replaceAll(unfit, '\uFFFD').replaceAll(new RegExp(closingFence, 'g'), '$1 ---')
}
