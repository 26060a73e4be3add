import { useState } from 'react'

/** The time of a message: only the time if it is from today, else date and time. */
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
