import { useState } from 'react'
import { useLocale } from '../language/panel-language.tsx'

/**
 * The time of a message: only the time if it is today, else date and time. `locale` (BCP 47) is the panel's by default.
 */
export function TimeOfDay({ iso, locale: own }: { iso: string; locale?: string }) {
  const around = useLocale()
  const locale = own ?? around
  const then = new Date(iso)
  const [shownAt] = useState(() => new Date())
  const today = then.toDateString() === shownAt.toDateString()
  const text = then.toLocaleString(locale, {
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    ...(today ? {} : { day: 'numeric', month: 'short' }),
  })
  return (
    <time dateTime={iso} title={then.toLocaleString(locale)} className="ap-time">
      {text}
    </time>
  )
}
