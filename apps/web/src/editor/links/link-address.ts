import { blockLimits, isSafeUrl } from '@copydesk/schema'

/**
 * The web or mail address that makes up a whole text; null when the text holds anything else, or an address that isn't
 * safe or too long.
 */
export function readPastedAddress(text: string): string | null {
  const address = text.trim()
  if (address.length > blockLimits.address || /\s/.test(address) || !isSafeUrl(address)) return null
  if (/^mailto:[^@]+@[^@]+$/i.test(address)) return address
  if (!/^(?:https?|ftp|sftp):\/\/[^/]/i.test(address)) return null
  return URL.canParse(address) ? address : null
}

/** A shortened address for display: without its protocol, and with its middle left out if it is long. */
export function shortAddress(href: string): string {
  const shown = href.replace(/^(?:https?:\/\/|mailto:)/i, '').replace(/\/$/, '')
  return shown.length > 48 ? `${shown.slice(0, 30)}…${shown.slice(-15)}` : shown
}
