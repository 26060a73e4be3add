import type { AnchorHTMLAttributes, MouseEvent } from 'react'
import { navigate } from './location.ts'

type LinkProps = AnchorHTMLAttributes<HTMLAnchorElement> & { to: string }

/** A link to another page of the app; modified clicks (new tab, download) are left to the browser. */
export function Link({ to, onClick, ...rest }: LinkProps) {
  const go = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event)
    const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
    if (event.defaultPrevented || !plain) return
    event.preventDefault()
    navigate(to)
  }
  return <a {...rest} href={to} onClick={go} />
}
