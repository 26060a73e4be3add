/** The link protocols that the product accepts; everything else (`javascript:`, `data:`, …) is refused everywhere. */
export const linkProtocols = ['http', 'https', 'mailto', 'tel', 'ftp', 'sftp', 'sms'] as const

// Browsers ignore control characters and white space inside a protocol: `java\nscript:` runs.
const ignoredByBrowsers = /[\u0000-\u0020\u00A0\u1680\u180E\u2000-\u2029\u205F\u3000]/g

/** Whether a link or image address is safe to store and to open: relative, or with a protocol of `linkProtocols`. */
export function isSafeUrl(url: unknown): url is string {
  if (typeof url !== 'string') return false
  const protocol = /^([a-z][a-z0-9+.-]*):/i.exec(url.replace(ignoredByBrowsers, ''))?.[1]
  return protocol === undefined || linkProtocols.some((allowed) => allowed === protocol.toLowerCase())
}
