const schemes = new Set(['http:', 'https:', 'mailto:', 'tel:'])

/**
 * Whether an address may become a link: only schemes that can't run code. Relative addresses are refused, because they
 * would resolve to the host's own pages.
 */
export function isSafeUrl(address: string): boolean {
  const url = URL.parse(address.trim())
  return url !== null && schemes.has(url.protocol)
}
