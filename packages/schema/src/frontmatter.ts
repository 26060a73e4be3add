const bytesAtMost = 64 * 1024
const closingFence = /(^|[\r\n])---(?=[ \t]*(?:[\r\n]|$))/
const unfit = /\0|\p{Surrogate}/gu

/**
 * Whether a value is valid frontmatter: YAML without its fences, at most 64 KiB, without a line of dashes that would
 * end it early and without code units that are invalid in text (NUL, lone surrogates).
 */
export function isFrontmatter(value: unknown): value is string {
  if (typeof value !== 'string' || value.length > bytesAtMost) return false
  if (closingFence.test(value) || value.search(unfit) >= 0) return false
  return new TextEncoder().encode(value).byteLength <= bytesAtMost
}

/**
 * Frontmatter as it is written between fences: unchanged if `isFrontmatter` accepts it, else with lines of dashes
 * indented and invalid code units replaced.
 */
export function fencedFrontmatter(value: string): string {
  return value.replaceAll(unfit, '\uFFFD').replaceAll(new RegExp(closingFence, 'g'), '$1 ---')
}
