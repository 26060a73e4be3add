import { useState } from 'react'

/** When something was said: the time today, date and time otherwise. */
export function TimeOfDay({ iso }: { iso: string }) {
  const then = new Date(iso)
  const [shownAt] = useState(() => new Date())
  const today = then.toDateString() === shownAt.toDateString()
  const text = then.toLocaleString('en', {
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    ...(today ? {} : { day: 'numeric', month: 'short' }),
  })
  return (
    <time dateTime={iso} title={then.toLocaleString()} className="ap-time">
      {text}
    </time>
  )
}
